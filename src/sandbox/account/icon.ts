/** A poster before a second one: what a catalogue of artwork is about. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28">
<rect x="9" y="2" width="16" height="21" rx="3" fill="#b9aef5"/>
<rect x="3" y="5" width="16" height="21" rx="3" fill="#4b3fbf"/>
<path d="M3 21l5-6 4 4 2.5-3 4.5 5.5V23a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3z" fill="#f2b84b"/>
<circle cx="14" cy="10.5" r="2" fill="#fff"/>
</svg>
`;
