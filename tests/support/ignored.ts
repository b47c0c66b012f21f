import type { Ignored } from '../../src/domain/chat.ts'
import type { ProjectRef } from '../../src/store/sessions.ts'

/** A message of a channel that was not answered. */
export const ignoredIn = (place: ProjectRef, message: string, reason: string, name = 'Ana'): Ignored => ({
  dedupKey: [place.platform, place.tenant, place.project, message].join(':'),
  thread: { ...place, thread: message },
  message,
  person: { id: name.toLowerCase(), name },
  reason,
})
