/** The next of 2, 4, 10, 20, 40, 100 …, whose half is readable, too. */
export function niceCeiling(max: number): number {
  const ten = 10 ** Math.floor(Math.log10(max))
  const steps = ten > 1 ? [1, 2, 4, 10] : [2, 4, 10]
  return steps.map(step => step * ten).find(ceiling => ceiling >= max) ?? max
}
