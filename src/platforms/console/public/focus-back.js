import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Gives the focus back to `opener` (a ref) when what it opened is closed: before the next key, which would otherwise
 * reach the page instead.
 */
export function useFocusBack(opener, isOpen) {
  const wasOpen = useRef(isOpen)
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
}
