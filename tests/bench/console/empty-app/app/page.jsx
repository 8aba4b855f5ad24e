import Link from "next/link";

export default function First() {
  return (
    <main>
      <h1>First</h1>
      <Link href="/second">Second</Link>
    </main>
  );
}
