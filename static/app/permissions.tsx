/** What an app may do, in words. */
export function Permissions({ title, permissions }: { title: string; permissions: readonly string[] }) {
  return (
    <>
      <h3 class="app-part">{title}</h3>
      <ul class="permissions">
        {permissions.map((permission) => (
          <li key={permission}>{permission}</li>
        ))}
      </ul>
    </>
  )
}
