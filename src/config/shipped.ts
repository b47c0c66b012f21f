import { resolve } from 'node:path'

/** The configuration that ships with the package: `config/` beside `src/`. */
export const shippedConfigDir = resolve(import.meta.dirname, '../../config')
