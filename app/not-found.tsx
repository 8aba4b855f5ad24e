import NothingHere from "./(console)/not-found";

/** Outside the console there is no frame around it. */
export default function NotFound() {
  return (
    <main style={{ padding: 40 }}>
      <NothingHere />
    </main>
  );
}
