import { useEffect, useState } from 'preact/hooks'
import { Code } from '../ui/code.tsx'
import type { ColoredPiece } from './highlight.ts'

/** A range of a text, in UTF-16 code units. */
interface Place {
  from: number
  to: number
}

interface ColoredCodeProps {
  text: string
  label: string
  /** The highlighted ranges, in order. */
  marked: readonly Place[]
}

/** Read-only HTML with syntax colors, which appear when their code has loaded. */
export function ColoredCode({ text, label, marked }: ColoredCodeProps) {
  const [pieces, setPieces] = useState<readonly ColoredPiece[]>([{ text, color: '' }])
  useEffect(() => {
    setPieces([{ text, color: '' }])
    let isGone = false
    import('./highlight.ts').then(
      ({ coloredPieces }) => isGone || setPieces(coloredPieces(text)),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [text])
  return (
    <Code label={label} text={text} wrap>
      {cutAt(pieces, marked).map(({ text: part, color, isMarked }, index) => {
        const style = color === '' ? undefined : { color: `var(--${color})` }
        return isMarked ? (
          <mark key={index}>{part}</mark>
        ) : (
          <span key={index} style={style}>
            {part}
          </span>
        )
      })}
    </Code>
  )
}

/** The pieces, split where a highlighted range begins or ends. */
function cutAt(pieces: readonly ColoredPiece[], marked: readonly Place[]) {
  const cut: (ColoredPiece & { isMarked: boolean })[] = []
  let start = 0
  for (const { text, color } of pieces) {
    const end = start + text.length
    const edges = marked.flatMap(({ from, to }) => [from, to]).filter((edge) => edge > start && edge < end)
    const bounds = [start, ...edges, end]
    for (const [index, from] of bounds.slice(0, -1).entries()) {
      const to = bounds[index + 1]!
      const isMarked = marked.some((place) => place.from <= from && to <= place.to && place.from < place.to)
      cut.push({ text: text.slice(from - start, to - start), color, isMarked })
    }
    start = end
  }
  return cut
}
