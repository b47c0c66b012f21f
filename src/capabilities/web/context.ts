import type { ToolContext } from '../../domain/tool.ts'
import type { Web } from '../../kit/web/port.ts'

/** What the tools for the web may use. */
export interface WebContext extends ToolContext {
  web: Web
  limits: { web: WebLimits }
}

/** From `config/bobbin.yaml`, section `web`. */
interface WebLimits {
  pageBytes: number
  downloadBytes: number
  timeoutMs: number
  results: number
}
