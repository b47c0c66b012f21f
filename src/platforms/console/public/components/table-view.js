import { html, memo } from '../html.js'
import { say } from '../words.js'

const isNumber = /^[-+(]?[$€£]?\s?\d[\d\s.,']*\s?[%€)]?$/

/** Right-aligns columns of numbers, judged by the first rows after the one that is usually a header. */
const numericColumns = ({ columns, rows, document }) =>
  columns.map((_, index) => {
    const cells = rows
      .slice(document && rows.length > 1 ? 1 : 0, 50)
      .map((row) => (row[index] ?? '').trim().slice(0, 40))
      .filter((cell) => cell !== '')
    return cells.length > 0 && cells.every((cell) => isNumber.test(cell))
  })

/** A sheet or CSV file; its header and row numbers stay visible. */
export const TableView = memo(({ table }) => {
  const { columns, numbers, rows } = table
  if (columns.length === 0) return html`<p class="nothing">${say.itsEmpty()}</p>`
  const numeric = numericColumns(table)
  const width = Math.max(columns.length, ...rows.map((row) => row.length))
  const places = Array.from({ length: width }, (_, index) => index)
  const classOf = (index) => (numeric[index] ? 'numeric' : undefined)
  return html`
    <table class="sheet">
      <thead><tr><th class="row-number"><span class="unseen">${say.row()}</span></th>
        ${places.map((index) => html`<th key=${index} scope="col" class=${classOf(index)}>${columns[index]}</th>`)}</tr></thead>
      <tbody>${rows.map(
        (row, place) => html`<tr key=${place}><th class="row-number" scope="row">${numbers[place]}</th>
          ${places.map((index) => html`<td key=${index} class=${classOf(index)}>${row[index]}</td>`)}</tr>`,
      )}</tbody>
    </table>
  `
})
