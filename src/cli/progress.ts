/** A progress bar on standard error. Nothing is written when standard error is not a terminal. */
interface ProgressBar {
  advance(by: number): void
  end(): void
}

const WIDTH = 30

/** @param total null when unknown: then only the processed amount is shown */
export function progressBar(label: string, total: number | null): ProgressBar {
  if (!process.stderr.isTTY) return { advance: () => undefined, end: () => undefined }
  let done = 0
  let shown = ''
  const draw = (): void => {
    const text =
      total === null
        ? `${label} ${done}`
        : `${label} [${'#'.repeat(Math.round(WIDTH * share())).padEnd(WIDTH, '.')}] ${Math.floor(100 * share())} %`
    if (text !== shown) process.stderr.write(`\r${text}`)
    shown = text
  }
  const share = (): number => (total === 0 ? 1 : Math.min(1, done / (total ?? 1)))
  return {
    advance(by) {
      done += by
      draw()
    },
    end: () => {
      process.stderr.write('\r\u001B[K')
    },
  }
}
