import { inspectDatabase } from './inspect.ts'

// This runs in its own process because a check of a large database takes long and blocks the thread.
process.stdout.write(JSON.stringify(inspectDatabase(process.argv[2] ?? '')?.faults ?? []))
