import type { ToolContext } from '../../domain/tool.ts'
import type { Web } from '../../kit/web/port.ts'
import type { SentSecret } from './secrets.ts'

/** What the tools for the web may use. */
export interface WebContext extends ToolContext {
  web: Web
  limits: { web: WebLimits }
}

/** What `http_fetch` may use besides. */
export interface HttpContext extends WebContext {
  /** By name. */
  secrets: ReadonlyMap<string, SentSecret>
  mask(text: string): string
}

/** From `config/bobbin.yaml`, section `web`. */
interface WebLimits {
  pageBytes: number
  downloadBytes: number
  timeoutMs: number
  results: number
}
