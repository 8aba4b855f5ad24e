import Link from "next/link";

export default function Second() {
  return (
    <main>
      <h1>Second</h1>
      <Link href="/">First</Link>
    </main>
  );
}
