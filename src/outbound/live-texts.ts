import type { SessionId, TextId, TurnId } from '../domain/ids.ts'
import type { Clock } from '../kit/clock.ts'

/** What a model is saying just now, as far as people may see it: secrets are masked. Never changed, but replaced. */
export interface LiveText {
  turn: TurnId
  text: TextId
  shown: string
  at: number
}

/**
 * Text while it streams. It is not stored before it ends: the whole of it is, and a room needs no more. A process that dies
 * takes it along, and the model is asked again. Always the text so far, so that nobody has to keep what they are behind with.
 */
export interface LiveTexts {
  /** In place of what this session said before. A text that was closed is not shown any more. */
  show(session: SessionId, live: Omit<LiveText, 'at'>): void
  now(session: SessionId): LiveText | undefined
  /** Nothing more is shown of it. Returns what was, however often it is asked, until the session forgets it. */
  close(session: SessionId): LiveText | undefined
  forget(session: SessionId): void
  /** Calls `tell` when there is more to show. Returns how to end it. */
  watch(session: SessionId, tell: () => void): () => void
}

/** Of this process. */
export function liveTextsHere(clock: Clock): LiveTexts {
  const texts = new Map<SessionId, { live: LiveText; isOpen: boolean }>()
  const watchers = new Map<SessionId, Set<() => void>>()
  return {
    show(session, live) {
      const known = texts.get(session)
      if (known?.live.text === live.text && !known.isOpen) return
      texts.set(session, { live: { ...live, at: clock.now() }, isOpen: true })
      for (const tell of watchers.get(session) ?? []) tell()
    },
    now(session) {
      const known = texts.get(session)
      return known?.isOpen ? known.live : undefined
    },
    close(session) {
      const known = texts.get(session)
      if (known === undefined) return undefined
      known.isOpen = false
      return known.live
    },
    forget: (session) => void texts.delete(session),
    watch(session, tell) {
      const watching = watchers.get(session) ?? new Set()
      watchers.set(session, watching.add(tell))
      return () => {
        watching.delete(tell)
        if (watching.size === 0 && watchers.get(session) === watching) watchers.delete(session)
      }
    },
  }
}
