import { takeCoverage } from 'node:v8'

// Loaded before the bot by bench/path.ts: at each signal, V8 writes what ran since the last one and resets its counters.
process.on('SIGUSR2', () => takeCoverage())
