import { parentPort, workerData } from 'node:worker_threads'
import { inspectDatabase } from './inspect.ts'

// On a thread of its own: a large database takes long, and SQLite answers at once or not at all.
parentPort?.postMessage(inspectDatabase(workerData as string)?.faults ?? [])
