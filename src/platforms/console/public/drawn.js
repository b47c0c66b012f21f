/**
 * Which items of a thread are on the page: a stretch of them that moves as one scrolls, because a page with thousands
 * is slow.
 */
import { computed, signal } from '@preact/signals'
import { pendingHere, thread } from './state.js'

/** Items that are drawn when a thread is opened. */
const atFirst = 30
/** The most and fewest items that are added at once: drawing an answer takes a few ms, and scrolling waits for it. */
const mostAtOnce = 5
const leastAtOnce = 2
/** A frame that took longer is followed by one with fewer items; one that took less, by one with more. In ms. */
const frameMs = { long: 40, short: 25 }
let atOnce = 3
/** Far more than fit on a screen and what is loaded ahead above and below it. */
const most = 100

/** The keys of the first item and of the one after the last. Without a key, it goes to that end of the thread. */
const bounds = signal({ first: undefined, after: undefined })

const placeOf = (items, key, otherwise) => {
  const place = key === undefined ? -1 : items.findIndex((item) => item.key === key)
  return place < 0 ? otherwise : place
}

/** The places of the first item and of the one after the last. */
export const drawn = computed(() => {
  const { items } = thread.value
  return { first: placeOf(items, bounds.value.first, 0), after: placeOf(items, bounds.value.after, items.length) }
})

function draw(first, after, { items } = thread.peek()) {
  bounds.value = { first: items[Math.max(0, first)]?.key, after: items[after]?.key }
}

/**
 * How long the frame took in which items were added, ms: the next one adds as many as this computer can draw in time.
 */
export function paceBy(tookMs) {
  if (tookMs > frameMs.long) atOnce = Math.max(leastAtOnce, atOnce - 1)
  else if (tookMs < frameMs.short) atOnce = Math.min(mostAtOnce, atOnce + 1)
}

export const isBeginningDrawn = () => drawn.value.first === 0
export const isEndDrawn = () => drawn.value.after === thread.value.items.length

export function drawAll() {
  bounds.value = { first: undefined, after: undefined }
}

export const drawEnd = () => draw(thread.peek().items.length - atFirst, Number.POSITIVE_INFINITY)

/** What stands at the end of a thread that waits for an answer may have a form that somebody has begun to fill in. */
const limited = (first, after) => (pendingHere.peek().length > 0 ? after : Math.min(after, first + most))

export function drawEarlier() {
  const first = Math.max(0, drawn.peek().first - atOnce)
  draw(first, limited(first, drawn.peek().after))
}

export function drawLater() {
  const after = drawn.peek().after + atOnce
  draw(Math.max(drawn.peek().first, after - most), after)
}

/** Draws this item and what follows it. */
export function drawFrom(key) {
  const { items } = thread.peek()
  const place = placeOf(items, key, 0)
  const { first, after } = drawn.peek()
  if (place < first || place >= after) draw(place, limited(place, items.length))
}

/** Replaces the thread by one that begins earlier and ends the same; what is on the page stays there. */
export function replaceThread(next) {
  const { items } = thread.peek()
  const { first, after } = drawn.peek()
  const more = next.items.length - items.length
  draw(first + more, after + more, next)
  thread.value = next
}
