import type { OutgoingFile } from '../../platform.ts'
import type { CardContainer } from '../cards/elements.ts'

/** One message, as it is posted. */
export type Page =
  | {
      kind: 'text'
      content: string
      files: OutgoingFile[]
      rings?: Rings
      /** Its files were announced before, and nothing is said in their place. */
      again?: boolean
    }
  /** A message made of components alone: a request with its buttons, or a plan. */
  | { kind: 'card'; container: CardContainer }

/** Whom a message notifies, by id: nobody else, whatever it says. */
export interface Rings {
  users: string[]
  roles: string[]
}

/** The core only hands back what `pages` made. */
export const asPage = (page: unknown): Page => page as Page
