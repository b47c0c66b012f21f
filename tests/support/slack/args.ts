import { isObject, type Json } from './json.ts'

/** Slack's refusal: `ok: false` with an error and other fields. */
export class Refusal extends Error {
  readonly extra: Json
  /** True if the caller broke a limit or format it should have known. */
  readonly violation: boolean

  constructor(error: string, { extra = {}, violation = false }: { extra?: Json; violation?: boolean } = {}) {
    super(error)
    this.extra = extra
    this.violation = violation
  }
}

/** For errors a correct caller may get: a deleted channel, a finished stream. */
export function refuse(error: string, extra: Json = {}): never {
  throw new Refusal(error, { extra })
}

/** For requests that a correct caller never sends. */
export function violate(error: string, messages: string[] = []): never {
  const extra = messages.length === 0 ? {} : { errors: messages, response_metadata: { messages } }
  throw new Refusal(error, { extra, violation: true })
}

function invalid(message: string): never {
  return violate('invalid_arguments', [`[ERROR] ${message}`])
}

/** The arguments of a call: text in a form, anything in JSON. */
export class Args {
  readonly all: Json

  constructor(all: Json) {
    this.all = all
  }

  has(key: string): boolean {
    return this.all[key] !== undefined && this.all[key] !== null && this.all[key] !== ''
  }

  /** A required string. */
  text(key: string): string {
    const value = this.maybe(key)
    return value === undefined ? invalid(`missing required field: ${key}`) : value
  }

  maybe(key: string): string | undefined {
    const value = this.all[key]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' ? value : invalid(`must be a string [json-pointer:/${key}]`)
  }

  flag(key: string): boolean {
    return [true, 'true', '1', 1].includes(this.all[key] as string)
  }

  count(key: string, otherwise: number, most: number): number {
    const value = this.maybe(key)
    if (value === undefined) return otherwise
    const number = Number(value)
    return Number.isInteger(number) && number > 0 ? Math.min(number, most) : refuse('invalid_limit')
  }

  /** An object or an array: JSON text in a form. */
  json(key: string, error = 'invalid_arguments'): unknown {
    const value = this.all[key]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value !== 'string') return value
    try {
      return JSON.parse(value)
    } catch (thrown) {
      if (thrown instanceof SyntaxError) return violate(error, [`[ERROR] ${key} is not JSON`])
      throw thrown
    }
  }

  object(key: string, error?: string): Json | undefined {
    const value = this.json(key, error)
    if (value === undefined || isObject(value)) return value
    return violate(error ?? 'invalid_arguments', [`[ERROR] must be an object [json-pointer:/${key}]`])
  }
}
