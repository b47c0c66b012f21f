import type { EventType } from '../domain/events.ts'

/** The type checks both ways: none is missing, and none is made up. */
const known = {
  start: true,
  message: true,
  thought: true,
  text_start: true,
  text_delta: true,
  text_end: true,
  act: true,
  output: true,
  observe: true,
  permission_asked: true,
  permission_voted: true,
  permission_moved: true,
  permission_replied: true,
  question_asked: true,
  question_answered: true,
  decision_asked: true,
  decision_answered: true,
  clarification_asked: true,
  clarification_answered: true,
  doom_loop_detected: true,
  doom_loop_intervened: true,
  waiting: true,
  said: true,
  imported: true,
  changed: true,
  reset: true,
  deleted: true,
  granted: true,
  revoked: true,
  tools_loaded: true,
  custom: true,
  feedback: true,
  stopped: true,
  complete: true,
  error: true,
  warning: true,
} satisfies Record<EventType, true>

/** Every event type, in the order of the documentation. */
export const eventTypes = Object.keys(known)
