/** The threads of the channel on screen and those that a search found: loaded page by page. */
import { listConversations } from './api.js'
import { placeOf } from './place.js'
import { archiveShown, conversations, found, report, route } from './state.js'

const pageSize = 50

const same = (left, right) => JSON.stringify(left) === JSON.stringify(right)

/** As the bot orders them. */
const isBehind = (one, other) => {
  if (one.pinned !== other.pinned) return other.pinned
  return one.updated_at === other.updated_at ? one.id < other.id : one.updated_at < other.updated_at
}

/** Nothing has happened in it since. */
const isUnchanged = (one, before) => one.pinned === before.pinned && one.updated_at === before.updated_at

/**
 * The newest page, then what was loaded behind it. If so much has happened that the page doesn't reach what was there
 * before, nobody knows what lies between, and the rest is loaded anew.
 */
function withNewest(list, cursor, page) {
  const last = page.conversations.at(-1)
  if (page.next_cursor === null || last === undefined) return { list: page.conversations, cursor: null }
  const reached = list.some((one) => one.id === last.id && isUnchanged(one, last))
  if (!reached) return { list: page.conversations, cursor: page.next_cursor }
  const ids = new Set(page.conversations.map(({ id }) => id))
  const behind = list.filter((one) => !ids.has(one.id) && isBehind(one, last))
  return { list: [...page.conversations, ...behind], cursor: behind.length > 0 ? cursor : page.next_cursor }
}

const queryOf = (project) => ({
  ...placeOf(project),
  limit: pageSize,
  ...(archiveShown.peek() && { archived: true }),
})

export async function refreshList() {
  const { project } = route.peek()
  const archived = archiveShown.peek()
  const page = await listConversations(queryOf(project))
  if (route.peek().project !== project || archiveShown.peek() !== archived) return
  const before = conversations.peek()
  const isSame = before.project === project && before.archived === archived
  const next = { project, archived, ...withNewest(isSame ? before.list : [], before.cursor, page) }
  if (!same(next, before)) conversations.value = next
}

/** The pages that are on their way. */
const loading = new Set()

/** Loads the next page of a list, which is a signal. */
async function loadMore(shown, query) {
  const before = shown.peek()
  const wanted = JSON.stringify({ ...query, cursor: before?.cursor })
  if (!before?.cursor || loading.has(wanted)) return
  loading.add(wanted)
  try {
    const page = await listConversations({ ...query, cursor: before.cursor })
    const now = shown.peek()
    // Somebody may have gone elsewhere or ended the search meanwhile.
    if (now?.project !== before.project || now?.words !== before.words || now?.cursor !== before.cursor) return
    const known = new Set(now.list.map(({ id }) => id))
    const fresh = page.conversations.filter(({ id }) => !known.has(id))
    shown.value = { ...now, list: [...now.list, ...fresh], cursor: page.next_cursor }
  } catch (error) {
    report(error)
  } finally {
    loading.delete(wanted)
  }
}

export const loadMoreThreads = () => loadMore(conversations, queryOf(route.peek().project))

const resultsAtOnce = 30
const queryFor = (words) => ({ q: words, limit: resultsAtOnce })
export const loadMoreFound = () => loadMore(found, queryFor(found.peek()?.words))

const pauseMs = 200
let timer
/** Answers may come in another order than their questions, or after the search has ended. */
let wanted = ''

/** Searches once the person pauses. Without words the channels are shown again. */
export function searchFor(text) {
  clearTimeout(timer)
  const words = text.trim()
  wanted = words
  if (words === '') {
    found.value = undefined
    return
  }
  timer = setTimeout(async () => {
    try {
      const page = await listConversations(queryFor(words))
      if (words === wanted) found.value = { words, list: page.conversations, cursor: page.next_cursor }
    } catch (error) {
      if (words === wanted) report(error)
    }
  }, pauseMs)
}

export function showArchive(shown) {
  archiveShown.value = shown
  refreshList().catch(report)
}

/** Takes a changed or deleted thread into the lists at once, without waiting for the next look. */
export function replaceThread(id, changed) {
  for (const shown of [conversations, found]) {
    const now = shown.peek()
    if (!now?.list) continue
    const list = now.list.flatMap((one) => {
      if (one.id !== id) return [one]
      return changed === undefined ? [] : [{ ...one, ...changed }]
    })
    shown.value = { ...now, list }
  }
}
