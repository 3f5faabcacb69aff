/** Keys, and what each does. */
export function KeyRows({ rows }: { rows: readonly { keys: string; does: string }[] }) {
  return (
    <dl class="key-rows">
      {rows.map(({ keys, does }) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  )
}
