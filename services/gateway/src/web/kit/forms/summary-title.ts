export const summaryTitle = (problems: number): string =>
  problems === 1 ? 'There’s a problem' : `There are ${problems} problems`
