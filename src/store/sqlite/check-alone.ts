import { inspectSqlite } from './inspect.ts'

// This runs in its own process because a check of a large database takes long and blocks the thread.
process.stdout.write(JSON.stringify(inspectSqlite(process.argv[2] ?? '')?.faults ?? []))
