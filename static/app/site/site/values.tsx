/** Named values; a dash for none. */
export function Values({ of }: { of: Record<string, unknown> }) {
  const values = Object.entries(of)
  if (values.length === 0) return '–'
  return (
    <dl class="values">
      {values.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{textOf(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('; ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
