import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The shell parser is some 45 files, so it's loaded with the first command and not at the start. */
export const inspecting = (): typeof import('./inspect.ts') => require('./inspect.ts')
