import { inspectDatabase } from './inspect.ts'

// A process of its own: a large database takes long, and SQLite answers at once or not at all.
process.stdout.write(JSON.stringify(inspectDatabase(process.argv[2] ?? '')?.faults ?? []))
