/** The list of the thread's files: loaded anew after whatever may have changed them. */
import { batch } from '@preact/signals'
import { isFinal, listFiles } from './api.js'
import { oneAtATime } from './one-at-a-time.js'
import { fileList, files, fileTurns, problemOf } from './state.js'

const pauseMs = 200
const retryMs = 6000

/** @type {{ id: string, abort: AbortController } | undefined} */
let shown
let timer

/** Forgets the list, which is another thread's from now on, or none's. */
export function replaceFiles(id) {
  clearTimeout(timer)
  shown?.abort.abort()
  shown = id ? { id, abort: new AbortController() } : undefined
  batch(() => {
    files.value = []
    fileTurns.value = []
    fileList.value = { phase: id ? 'loading' : 'ready', problem: '', hasMore: false, hasMoreTurns: false }
  })
}

async function load() {
  const of = shown
  if (of === undefined) return
  try {
    const list = await listFiles(of.id, of.abort.signal)
    if (shown !== of) return
    batch(() => {
      files.value = list.files
      fileTurns.value = list.turns
      fileList.value = { phase: 'ready', problem: '', hasMore: list.has_more, hasMoreTurns: list.has_more_turns }
    })
  } catch (error) {
    if (shown !== of) return
    fileList.value = { ...fileList.peek(), phase: 'failed', problem: problemOf(error) }
    if (!isFinal(error)) refreshIn(retryMs)
  }
}

const refresh = oneAtATime(load)

function refreshIn(ms) {
  clearTimeout(timer)
  timer = setTimeout(refresh, ms)
}

export const refreshFilesSoon = () => refreshIn(pauseMs)
