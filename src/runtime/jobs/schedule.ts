/**
 * The schedule of recurring tasks, as graphile-worker's crontab, in UTC. `fill` makes up for a run missed within that
 * time while no server was running; a task that is still queued is not queued twice, and one with a
 * queue of its own runs once at a time, however long it takes.
 */
export const SCHEDULE = `
0 * * * * expire_posts ?fill=1h&jobKey=expire_posts
5 * * * * lift_bans ?fill=1h&jobKey=lift_bans
10 * * * * sweep_limits ?jobKey=sweep_limits
*/10 * * * * make_thumbnails ?queue=make_thumbnails&jobKey=make_thumbnails
*/10 * * * * make_postings ?queue=make_postings&jobKey=make_postings
15 3 * * * sweep_sessions ?fill=1d&jobKey=sweep_sessions
`;
