import './response.ts'
import { parsers } from './parsers/index.ts'

// Loads all that readers load, so that Node keeps what it compiled (compiled.ts). It meets no document.

await Promise.allSettled([
  ...Object.values(parsers).map((load) => load()),
  import('./parsers/web-page.ts'),
  import('./pictures/draw.ts'),
])
// A reader without work ends the process.
await import('./child.ts')
