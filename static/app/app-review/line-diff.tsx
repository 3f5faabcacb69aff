import { diffLines } from 'diff'

interface LineDiffProps {
  before: string
  after: string
  label: string
  /** Shows the old text beside the new one, where there is room for both. */
  beside?: boolean
}

type Kind = 'added' | 'removed' | 'same'
type Line = [Kind, string]
const SIGNS: Record<Kind, string> = { added: '+ ', removed: '− ', same: '  ' }

/** Two texts line by line: what is gone and what is new. A sign says what a color says. */
export function LineDiff({ before, after, label, beside }: LineDiffProps) {
  if (before === after) return <p class="quiet">{after === '' ? 'Nothing.' : 'Unchanged.'}</p>
  const lines = linesOf(before, after)
  if (beside) return <Beside lines={lines} label={label} />
  return (
    <pre class="diff" tabIndex={0} aria-label={label}>
      {lines.map(([kind, line], index) => (
        <span key={index} class={`diff-${kind}`}>
          {SIGNS[kind]}
          {line}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}

function Beside({ lines, label }: { lines: readonly Line[]; label: string }) {
  return (
    <div class="diff" tabIndex={0} role="region" aria-label={label}>
      <table class="diff-beside">
        <thead>
          <tr>
            <th scope="col">Before</th>
            <th scope="col">Now</th>
          </tr>
        </thead>
        <tbody>
          {pairsOf(lines).map((pair, index) => (
            <tr key={index}>
              {pair.map((line, side) => (
                <td key={side} class={`diff-${line?.[0] ?? 'none'}`}>
                  {line && SIGNS[line[0]]}
                  {line?.[1]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function linesOf(before: string, after: string): Line[] {
  return diffLines(before, after, { ignoreNewlineAtEof: true }).flatMap(({ value, added, removed }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((line): Line => [kind, line])
  })
}

/** Each line of before beside the one that came into its place. */
function pairsOf(lines: readonly Line[]): [Line | undefined, Line | undefined][] {
  const pairs: [Line | undefined, Line | undefined][] = []
  /** The first pair that has a line of before only. */
  let open = 0
  for (const line of lines) {
    if (line[0] === 'removed') pairs.push([line, undefined])
    else if (line[0] === 'same') pairs.push([line, line])
    else if (open < pairs.length) pairs[open]![1] = line
    else pairs.push([undefined, line])
    if (line[0] === 'same') open = pairs.length
    else if (line[0] === 'added') open++
  }
  return pairs
}
