import type { SessionId, TextId } from '../domain/ids.ts'
import type { LivePart } from '../store/live-part.ts'
import type { Wire } from '../store/wire.ts'
import type { LiveTexts } from './live-texts.ts'

/** A few of them fit into one message, whatever they are. */
const mostCharacters = 1_200

/** What streams in one process is shown in all of them. A part that is lost is made up for by the complete text. */
export function sharedTexts(here: LiveTexts, wire: Wire): LiveTexts {
  const told = new Map<SessionId, { id: TextId; length: number }>()
  const heard = new Map<SessionId, { id: TextId; shown: string }>()
  wire.hear('live', (part) => hear(part, here, heard))
  return {
    ...here,
    show(session, live) {
      here.show(session, live)
      const { text: id, turn, shown } = live
      const before = told.get(session)
      let from = before?.id === id ? before.length : 0
      told.set(session, { id, length: shown.length })
      for (; from < shown.length; from += mostCharacters)
        wire.tell('live', { session, text: { id, turn, from, more: shown.slice(from, from + mostCharacters) } })
    },
    forget(session) {
      here.forget(session)
      if (told.delete(session)) wire.tell('live', { session })
    },
  }
}

function hear(
  { session, text }: LivePart,
  here: LiveTexts,
  heard: Map<SessionId, { id: TextId; shown: string }>,
): void {
  if (text === undefined) {
    heard.delete(session)
    here.forget(session)
    return
  }
  const { id, turn, from, more } = text
  const known = heard.get(session)
  const before = known?.id === id ? known.shown : ''
  // Something was lost in between.
  if (before.length !== from) return
  const shown = before + more
  heard.set(session, { id, shown })
  here.show(session, { turn, text: id, shown })
}
