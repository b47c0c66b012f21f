/** What a check found. `remedy` says what to do, one line each. */
export interface Finding {
  mark: 'fine' | 'mind' | 'broken'
  fact: string
  remedy: string[]
}

/** What is known of the running bot on a platform. `apart`: it isn't connected there. `unknown`: it can't be asked. */
export type BotThere = 'none' | 'connected' | 'apart' | 'unknown'

/** Findings come one by one, as the check makes them. */
export type Findings = AsyncIterable<Finding>

export const fine = (fact: string): Finding => ({ mark: 'fine', fact, remedy: [] })
/** The bot works, but maybe not as expected. */
export const mind = (fact: string, ...remedy: string[]): Finding => ({ mark: 'mind', fact, remedy })
export const broken = (fact: string, ...remedy: string[]): Finding => ({ mark: 'broken', fact, remedy })
