import type { APIMessageTopLevelComponent } from 'discord.js'
import type { OutgoingFile } from '../platform.ts'

/** One message, as it is posted. */
export type Page =
  | { kind: 'text'; content: string; files: OutgoingFile[] }
  /** What buttons belong to: made of components alone. */
  | { kind: 'card'; container: CardContainer }

export type CardContainer = Extract<APIMessageTopLevelComponent, { type: 17 }>

/** What the core hands back is what `pages` made. */
export const asPage = (page: unknown): Page => page as Page
