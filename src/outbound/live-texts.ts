import type { SessionId, TextId, TurnId } from '../domain/ids.ts'
import type { Clock } from '../kit/clock.ts'

/** What a model is saying right now, as far as people may see it: secrets are masked. Never changed, only replaced. */
export interface LiveText {
  turn: TurnId
  text: TextId
  shown: string
  at: number
}

/**
 * Text while it streams. Only the complete text is stored. If the process dies, it is lost and the model is asked
 * again. It is always the whole text so far, so no reader has to keep track of the parts.
 */
export interface LiveTexts {
  /** Replaces what this session said before. A closed text isn't shown any more. */
  show(session: SessionId, live: Omit<LiveText, 'at'>): void
  now(session: SessionId): LiveText | undefined
  /** Shows nothing more of it. Returns the last text, even when called again, until the session forgets it. */
  close(session: SessionId): LiveText | undefined
  forget(session: SessionId): void
  /** Calls `tell` when there is more to show. Returns how to stop. */
  watch(session: SessionId, tell: () => void): () => void
}

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
