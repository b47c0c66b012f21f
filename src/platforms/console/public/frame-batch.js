const longestFrameMs = 250

/**
 * Events wait for the next frame, so that a fast stream redraws once per frame; not for long, because hidden pages get
 * no frames.
 */
export function frameBatch(apply) {
  let waiting = []
  let scheduled = false
  let frame
  let timer
  const flush = () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    scheduled = false
    const events = waiting
    waiting = []
    apply(events)
  }
  return (event) => {
    waiting.push(event)
    if (scheduled) return
    scheduled = true
    timer = setTimeout(flush, longestFrameMs)
    frame = requestAnimationFrame(flush)
  }
}
