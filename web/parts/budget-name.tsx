/** A path that is broken at its slashes where it does not fit; its last part is what tells it from the others. */
export function BudgetName({ path }: { readonly path: string }) {
  const parts = path.split('/');
  const last = parts.pop();
  return (
    <>
      {parts.map((part) => (
        <>
          <span class="soft">{part}/</span>
          <wbr />
        </>
      ))}
      {last}
    </>
  );
}
