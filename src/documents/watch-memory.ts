import type { Worker } from 'node:worker_threads'

export interface MemoryLimits {
  /** Bytes of JavaScript heap. It may go half beyond them for a moment: what is not needed any more is still in it. */
  heapBytes: number
  /** Bytes of buffers. */
  bufferBytes: number
}

/** How often is looked. */
const lookMs = 50

/** Looks at a worker's memory from outside: V8's own limits know nothing of buffers, and end the whole process. */
export function watchMemory(worker: Worker, { heapBytes, bufferBytes }: MemoryLimits, tooMuch: () => void) {
  let isLooking = false
  const look = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    try {
      const { used_heap_size: heap, external_memory: buffers } = await worker.getHeapStatistics()
      if (heap > 1.5 * heapBytes || buffers > bufferBytes) tooMuch()
    } catch {
      // It has ended.
    } finally {
      isLooking = false
    }
  }, lookMs)
  return { end: () => clearInterval(look) }
}
