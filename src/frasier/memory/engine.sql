-- name: commit_lazily
-- Commits this transaction without waiting for the disk: losing it in a power cut is harmless.
select set_config('synchronous_commit', 'off', true)
