/** One line for the operator. `about` holds ids and reasons, never secrets or what people said. */
type Line = (about: object, what: string) => void

export interface Log {
  debug: Line
  info: Line
  warn: Line
  error: Line
}
