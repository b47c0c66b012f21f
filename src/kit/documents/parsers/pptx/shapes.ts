import { elementsOf, within, type XmlElement } from '../../xml.ts'

/** A shape of a slide and where it stands, in EMU from the slide's corner. */
export interface Placed {
  element: XmlElement
  top: number
  left: number
}

/** Kind and number of the placeholder in a layout that a shape fills. */
export interface Placeholder {
  type: string
  index: string
}

/** From a group's own coordinates to the slide's. */
interface Frame {
  left: number
  top: number
  scaleX: number
  scaleY: number
}

const wholeSlide: Frame = { left: 0, top: 0, scaleX: 1, scaleY: 1 }

/** Shapes whose tops are this close to each other (in EMU, 0.15 inch) are in one row. */
const rowTolerance = 137_160

export function placeholderOf(shape: XmlElement): Placeholder | undefined {
  for (const properties of elementsOf(shape)) {
    if (!/^p:nv\w*Pr$/.test(properties.name)) continue
    const place = within(properties, 'p:nvPr', 'p:ph')
    if (place !== undefined)
      return { type: place.attributes.get('type') ?? 'obj', index: place.attributes.get('idx') ?? '0' }
  }
  return undefined
}

/** What a screen reader says about a shape. */
export function altTextOf(shape: XmlElement): string {
  for (const properties of elementsOf(shape)) {
    const named = /^p:nv\w*Pr$/.test(properties.name) ? within(properties, 'p:cNvPr') : undefined
    if (named !== undefined)
      return (named.attributes.get('descr') || named.attributes.get('title') || '').replace(/\s+/g, ' ').trim()
  }
  return ''
}

function isHiddenShape(shape: XmlElement): boolean {
  const properties = elementsOf(shape).find(({ name }) => /^p:nv\w*Pr$/.test(name))
  const hidden = within(properties, 'p:cNvPr')?.attributes.get('hidden')
  return hidden === '1' || hidden === 'true'
}

/** The shapes of a tree, groups opened. `inherited` gives the position of a shape without one. */
export function shapesOf(
  tree: XmlElement | undefined,
  inherited: (place: Placeholder) => { top: number; left: number } | undefined,
): Placed[] {
  const shapes: Placed[] = []
  const walk = (parent: XmlElement | undefined, frame: Frame): void => {
    for (const element of elementsOf(parent)) {
      if (element.name === 'mc:AlternateContent') {
        walk(within(element, 'mc:Choice') ?? within(element, 'mc:Fallback'), frame)
      } else if (element.name === 'p:grpSp') {
        if (!isHiddenShape(element)) walk(element, groupFrame(element, frame))
      } else if (['p:sp', 'p:pic', 'p:graphicFrame', 'p:cxnSp'].includes(element.name) && !isHiddenShape(element)) {
        const place = placeholderOf(element)
        const own = offsetOf(element)
        const found = own ?? (place === undefined ? undefined : inherited(place))
        shapes.push({
          element,
          top: frame.top + (found?.top ?? 0) * frame.scaleY,
          left: frame.left + (found?.left ?? 0) * frame.scaleX,
        })
      }
    }
  }
  walk(tree, wholeSlide)
  return shapes
}

/** From top to bottom, those of one row from left to right. */
export function inReadingOrder<T extends { top: number; left: number }>(shapes: readonly T[]): T[] {
  const rows: T[][] = []
  for (const shape of [...shapes].sort((a, b) => a.top - b.top)) {
    const row = rows.at(-1)
    if (row?.[0] !== undefined && shape.top - row[0].top <= rowTolerance) row.push(shape)
    else rows.push([shape])
  }
  return rows.flatMap((row) => row.sort((a, b) => a.left - b.left))
}

const transformOf = (shape: XmlElement): XmlElement | undefined =>
  within(shape, 'p:spPr', 'a:xfrm') ?? within(shape, 'p:xfrm') ?? within(shape, 'p:grpSpPr', 'a:xfrm')

export function offsetOf(shape: XmlElement): { top: number; left: number } | undefined {
  const offset = within(transformOf(shape), 'a:off')
  return offset === undefined ? undefined : { top: measure(offset, 'y'), left: measure(offset, 'x') }
}

function groupFrame(group: XmlElement, outer: Frame): Frame {
  const transform = transformOf(group)
  const [offset, size] = [within(transform, 'a:off'), within(transform, 'a:ext')]
  const [inner, innerSize] = [within(transform, 'a:chOff'), within(transform, 'a:chExt')]
  if (offset === undefined || size === undefined || inner === undefined || innerSize === undefined) return outer
  const scaleX = outer.scaleX * (measure(size, 'cx') / (measure(innerSize, 'cx') || 1) || 1)
  const scaleY = outer.scaleY * (measure(size, 'cy') / (measure(innerSize, 'cy') || 1) || 1)
  return {
    left: outer.left + measure(offset, 'x') * outer.scaleX - measure(inner, 'x') * scaleX,
    top: outer.top + measure(offset, 'y') * outer.scaleY - measure(inner, 'y') * scaleY,
    scaleX,
    scaleY,
  }
}

const measure = (element: XmlElement, name: string): number =>
  Number(/^-?\d{1,12}$/.exec(element.attributes.get(name) ?? '')?.[0] ?? 0)
