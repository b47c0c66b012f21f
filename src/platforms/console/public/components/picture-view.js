import { useEffect, useState } from 'preact/hooks'
import { getFile } from '../api.js'
import { fileName, visibleName } from '../format.js'
import { html } from '../html.js'
import { describe, route } from '../state.js'
import { say } from '../words.js'

const largest = 40_000_000

/** A picture, drawn as the type the bot detected, never as the type its name claims. */
export function PictureView({ file }) {
  const { path, type, size } = file
  const [url, setUrl] = useState(undefined)
  const [failure, setFailure] = useState('')
  const [facts, setFacts] = useState('')
  const { conversation } = route.value
  useEffect(() => {
    if (size > largest) return setFailure(say.pictureTooLarge())
    const abort = new AbortController()
    let made
    getFile(conversation, path, abort.signal).then(
      (bytes) => {
        made = URL.createObjectURL(bytes.slice(0, bytes.size, type))
        if (abort.signal.aborted) URL.revokeObjectURL(made)
        else setUrl(made)
      },
      (error) => !abort.signal.aborted && setFailure(describe(error)),
    )
    return () => {
      abort.abort()
      if (made) URL.revokeObjectURL(made)
    }
  }, [conversation, path])
  const onLoad = ({ target }) => setFacts(say.pixels({ width: target.naturalWidth, height: target.naturalHeight }))
  if (failure) return html`<p class="nothing" role="alert">${failure}</p>`
  return html`
    <figure class="picture">
      ${url && html`<img src=${url} alt=${visibleName(fileName(path))} onLoad=${onLoad} onError=${() => setFailure(say.imageDamaged())} />`}
      <figcaption>${facts}</figcaption>
    </figure>
  `
}
