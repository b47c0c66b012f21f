import htm from 'htm'
import { Component, h } from 'preact'

export const html = htm.bind(h)

/** A component that redraws only when one of its properties changes. */
export function memo(render) {
  return class extends Component {
    shouldComponentUpdate(next) {
      const names = Object.keys(next)
      return names.length !== Object.keys(this.props).length || names.some((name) => next[name] !== this.props[name])
    }
    render(props) {
      return h(render, props)
    }
  }
}

/** Joins the truthy names into a class attribute. */
export const classes = (...names) => names.filter(Boolean).join(' ')
