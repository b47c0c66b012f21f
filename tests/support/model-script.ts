/** One reply of the scripted model server, as plain data. Combine with `both`, `slowly`, `thinks`, or by hand. */
export interface ScriptedReply {
  text?: string
  thought?: string
  /** `arguments` is sent as it is, in two pieces; `extra` as `extra_content`. */
  calls?: { name: string; arguments: string; extra?: object }[]
  /** The finish reason on the wire. Otherwise `tool_calls` when there are calls, else `stop`. */
  finish?: string
  usage?: { input: number; output: number; cached: number }
  /** Nothing is sent before this resolves. */
  after?: Promise<unknown>
  /** Pause before each chunk, ms. */
  delayMs?: number
  /** After this many chunks, the socket is destroyed. */
  cutAfter?: number
  /** After this many chunks, nothing is sent before this resolves. */
  pause?: { chunks: number; until: Promise<unknown> }
  /** After this many chunks, nothing more is sent, but the socket stays open. */
  hangAfter?: number
  /** Sends chunks without end. */
  endless?: 'text' | 'calls' | 'line'
  /** The response instead of a stream. */
  status?: { code: number; headers: Record<string, string>; body: unknown }
  /** `data:` payloads to send instead of our own chunks; strings unchanged, everything else as JSON. */
  raw?: unknown[]
}

const callOf = (name: string, input: unknown) => ({ name, arguments: JSON.stringify(input) })

export const says = (text: string): ScriptedReply => ({ text })

/** One call or several: `calls('read_file', { path }, ['now', {}])`. */
export const calls = (name: string, input: unknown, ...more: [name: string, input: unknown][]): ScriptedReply => ({
  calls: [callOf(name, input), ...more.map(([next, value]) => callOf(next, value))],
})

export const callsRaw = (name: string, brokenJson: string): ScriptedReply => ({
  calls: [{ name, arguments: brokenJson }],
})

/** Many calls, all of them different. */
export const manyCalls = (count: number): ScriptedReply => ({
  calls: Array.from({ length: count }, (_, place) => callOf('find_files', { pattern: `${place}` })),
})

/** Text and calls in one reply. */
export const both = (first: ScriptedReply, second: ScriptedReply): ScriptedReply => ({
  ...first,
  ...second,
  calls: [...(first.calls ?? []), ...(second.calls ?? [])],
})

export const thinks = (thought: string, reply: ScriptedReply): ScriptedReply => ({ ...reply, thought })
export const heldUntil = (after: Promise<unknown>, reply: ScriptedReply): ScriptedReply => ({ ...reply, after })
export const slowly = (delayMs: number, reply: ScriptedReply): ScriptedReply => ({ ...reply, delayMs })

/** Sends a reply's first chunks, and the others once somebody has seen them. */
export const pausedAfter = (chunks: number, until: Promise<unknown>, reply: ScriptedReply): ScriptedReply => ({
  ...reply,
  pause: { chunks, until },
})

export const cutAfter = (chunks: number, reply = says('one two three four five six')): ScriptedReply => ({
  ...reply,
  cutAfter: chunks,
})

/** Sends nothing, or only a reply's first chunks. */
export const hang = (chunks = 0, reply = says('one two three four five six')): ScriptedReply => ({
  ...reply,
  hangAfter: chunks,
})

export const endless = (what: 'text' | 'calls' | 'line' = 'text'): ScriptedReply => ({ endless: what })
export const empty = (): ScriptedReply => ({ text: '' })
export const raw = (...payloads: unknown[]): ScriptedReply => ({ raw: payloads })

interface StatusOptions {
  /** Seconds, or an HTTP date. */
  retryAfter?: number | string
  retryAfterMs?: number
  message?: string
  code?: string
  param?: string
}

export const status = (code: number, options: StatusOptions = {}): ScriptedReply => ({
  status: {
    code,
    headers: {
      ...(options.retryAfter !== undefined && { 'retry-after': `${options.retryAfter}` }),
      ...(options.retryAfterMs !== undefined && { 'retry-after-ms': `${options.retryAfterMs}` }),
    },
    body: {
      error: {
        message: options.message ?? `scripted ${code}`,
        type: 'invalid_request_error',
        code: options.code ?? null,
        param: options.param ?? null,
      },
    },
  },
})
