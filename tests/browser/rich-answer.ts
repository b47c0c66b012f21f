/** An answer with everything that the console can draw. */
export const richAnswer = String.raw`## The area

For a circle with radius \(r\), and \(a^2 + b^2 = c^2\) for a triangle[^1]:

\[
A = \pi r^2 = \int_0^{2\pi} \int_0^r \rho \, d\rho \, d\varphi
\]

$$
\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix} \cdot \sqrt{\frac{x}{y}}
$$

It costs $5 to $10[^2].

~~~python
import math

def area(r: float) -> float:
    """The area of a circle, for any radius that is not negative, in the square of its unit of length."""
    return math.pi * r ** 2  # not r * 2
~~~

| radius | area |
|---:|---:|
| 1 | $\pi$ |
| 2 | 12.57 |

~~~mermaid
flowchart LR
  A[Question] --> B{Known?}
  B -- yes --> C[Answer]
  B -- no --> D[Search] --> C
~~~

<details>
<summary>How it was measured</summary>

Nine runs, the **median** counts. Press <kbd>Ctrl</kbd>.

~~~bash
npm run bench -- --runs 9
~~~

</details>

[^1]: Archimedes, *Measurement of a Circle*.
[^2]: In 2026.
`
