/** What was clicked, as Slack names it. A button's value says which request, and which option. */
export const actions = {
  approve: 'approve',
  /** Opens the form for a grant. */
  always: 'always',
  deny: 'deny',
  /** The same on a person's Home, which is no channel. */
  homeApprove: 'home_approve',
  homeDeny: 'home_deny',
  denyWhy: 'deny_why',
  /** One option's button; a number follows. */
  option: 'option_',
  /** A menu whose choice is the answer. */
  select: 'select',
  /** Boxes or a menu whose choice is sent with a button. */
  tick: 'tick',
  send: 'send',
  other: 'other',
  /** Opens the form with several questions. */
  fill: 'fill',
  decline: 'decline',
  feedback: 'feedback',
} as const

export const forms = { denial: 'denial', always: 'always', words: 'words', answers: 'answers' } as const

/** The block with menus: their values leave no room for the request's id. */
const prefix = 'request:'
export const blockFor = (request: string): string => `${prefix}${request}`
export const requestIn = (block: string): string | undefined =>
  block.startsWith(prefix) ? block.slice(prefix.length) : undefined

/** The value of an option's button. */
export const optionValue = (request: string, option: string): string => JSON.stringify([request, option])
