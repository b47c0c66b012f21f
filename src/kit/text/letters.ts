/** How many letters a text has, and how many of them are written from right to left. */
export const letters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0
export const rightToLeftLetters = (text: string): number => text.match(rightToLeft)?.length ?? 0

/** Letters only: digits of these scripts are written from left to right. */
const rightToLeft = /[[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]&&\p{L}]/gv
