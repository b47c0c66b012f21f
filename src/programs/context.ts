import type { ToolContext } from '../domain/tool.ts'
import type { Sandbox, SandboxLimits } from '../kit/sandbox/port.ts'

/** What the tools that run programs may use. */
export interface CommandsContext extends ToolContext {
  sandbox: Sandbox
  limits: {
    /** `config/bobbin.yaml`, section `sandbox`. */
    sandbox: SandboxLimits & { scriptTimeoutMs: number; environment: Record<string, string>; closed: ClosedLimits }
    /** How large a thread's files may become. */
    workspace: { bytes: number; files: number }
  }
}

/** Limits of the closed sandbox; the others are for the open one. */
export type ClosedLimits = Pick<
  SandboxLimits,
  'timeoutMs' | 'memoryBytes' | 'processes' | 'fileBytes' | 'temporaryBytes'
>
