# about: a leak, a backlog, and what is mixed and hostile, all small: the in-flight table against the truth
# timeout: 400
# As tests/bench/flood, which has what is seen here at its full size.

FLOOD_KEYS=500000
chrt -f -p 1 $$

flood_load leak_age_ms=2000 window_ms=200
flood_leak others 2 4 4 300000 10000
flood_leak_judge others
flood_unload

flood_load leak_age_ms=2000 window_ms=200
flood_leak own 2 4 4 300000 10000
flood_leak_judge own
flood_unload

flood_load
flood_backlog 200000 800000
flood_backlog_judge 100000
flood_unload

flood_load
flood_mixed 60000
flood_mixed_judge mixed exact
flood_unload

flood_load track_entries=64 leak_age_ms=200
flood_mixed 60000
flood_mixed_judge "mixed, 64 entries"
flood_unload
