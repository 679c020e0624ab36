(** * The least sum of squares of a table at given sums of squares of its margins

    x : r x s integers >= 0, total n, row sums a_i, column sums b_j, A, B, P the sums of squares of the row sums,
    the column sums and the entries.  (Rational tables: multiply by a common denominator.)

    Theorem ([least_squares_hook]).  Let p + (r-1) v = n = q + (s-1) u, p > v, q > u, and w = n - (s-1) u - (r-1) v >= u + v.
    If A <= A' = p^2 + (r-1) v^2 and B <= B' = q^2 + (s-1) u^2, then, with X = p - v, Y = q - u,
      X Y (w^2 + (s-1) u^2 + (r-1) v^2) <= X Y P + 2 Y (w - v) (A' - A) + 2 X (w - u) (B' - B).
    For A = A', B = B' this is P >= w^2 + (s-1) u^2 + (r-1) v^2, attained by the hook with corner w, arm entries u and
    leg entries v.  p, v, q, u are any integers: no square root is taken, and where A, B are not of this form the
    inequality is as sharp as one likes, after scaling.  Without the condition on w: [least_squares_flat].

    Proof.  With K = XY, C = Y (w - v), D = X (w - u), E = C p + D q - K w and L_ij = C a_i + D b_j - E, summing
    (K x_ij - L_ij^+)^2 >= 0 and x L <= x L^+ gives K^2 P + sum (L^+)^2 >= 2K (C A + D B - E n) ([dual]).  For any T, the sum
    over i of ((C a_i - T)^+)^2 is at most ((C p - T)^+)^2 + (r-1) ((C v - T)^+)^2 ([truncated]): if C v >= T drop the ^+; if C p <= T
    all terms are 0, as a_i <= p (Cauchy); else with m = C p - T, X^2 ((C t - T)^+)^2 <= m^2 (t - v)^2 for t <= p.  Twice this, for rows
    and columns: sum (L^+)^2 <= K^2 (w^2 + (s-1) u^2 + (r-1) v^2), as L at (p,q), (p,u), (v,q) is Kw, Ku, Kv and at (v,u) K(u+v-w) <= 0. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra zify.
From Confmat Require Import Tables.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition pos (z : int) : int := if 0 <= z then z else 0.
Definition sq (z : int) : int := z * z.

Lemma sq_ge0 z : 0 <= sq z. Proof. rewrite /sq; nia. Qed.
Lemma pos_ge0 z : 0 <= pos z. Proof. by rewrite /pos; case: ifP. Qed.
Lemma pos_ge z : z <= pos z. Proof. by rewrite /pos; case: ifP; lia. Qed.
Lemma pos_nonpos z : z <= 0 -> pos z = 0. Proof. by rewrite /pos; case: ifP; lia. Qed.
Lemma pos_nonneg z : 0 <= z -> pos z = z. Proof. by rewrite /pos => ->. Qed.
Lemma sq_pos_le z : sq (pos z) <= sq z.
Proof. by rewrite /pos; case: ifP => _ //; rewrite /sq; nia. Qed.
Lemma sq_pos_mul k z : 0 <= k -> sq (pos (k * z)) = sq k * sq (pos z).
Proof.
move=> k0; case: (lerP 0 z) => z0.
  by rewrite !pos_nonneg /sq //; [lia | nia].
by rewrite !pos_nonpos /sq; [lia | lia | nia].
Qed.

Section Sums.
Variable m : nat.
Implicit Types f g : 'I_m -> int.
Local Notation M := (m%:Z).

Lemma sum_const (c : int) : \sum_(i < m) c = M * c.
Proof. by rewrite sumr_const card_ord -mulr_natl natz. Qed.

(* sum of (c t - T)^2 *)
Lemma sum_sq_affine f (c T : int) :
  \sum_i sq (c * f i - T) = c * c * (\sum_i sq (f i)) - 2%:Z * c * T * (\sum_i f i) + M * (T * T).
Proof.
rewrite (eq_bigr (fun i => (c * c * sq (f i) + (- (2%:Z * c * T)) * f i) + T * T)); last by move=> i _; rewrite /sq; lia.
rewrite !big_split /= -!mulr_sumr sum_const; move: (\sum_i sq (f i)) (\sum_i f i) => S1 S2; clear; lia.
Qed.
End Sums.

(* ------------------------------------------------------------------ *)
(** ** The lemma on truncated squares *)

Section Truncated.
Variables (k : nat) (f : 'I_k.+1 -> int) (p v : int).
Local Notation n := (\sum_i f i).
Hypotheses (vp : v <= p) (sum_eq : n = p + k%:Z * v) (squares_le : \sum_i sq (f i) <= sq p + k%:Z * sq v).

Lemma sum_from_v : \sum_i sq (f i - v) <= sq (p - v).
Proof.
have -> : \sum_i sq (f i - v) = \sum_i sq (1 * f i - v) by apply: eq_bigr => i _; rewrite mul1r.
rewrite sum_sq_affine sum_eq; move: squares_le; rewrite /sq.
move: (\sum_i sq (f i)) => S h; have -> : k.+1%:Z = 1 + k%:Z by []; move: h; clear; lia.
Qed.

Lemma entry_le i : f i <= p.
Proof.
have h : sq (f i - v) <= sq (p - v).
  apply: le_trans sum_from_v; rewrite (bigD1 i) //= ler_addl; apply: sumr_ge0 => j _; exact: sq_ge0.
by move: h vp; rewrite /sq; nia.
Qed.

Lemma truncated (C T : int) : 0 <= C ->
  \sum_i sq (pos (C * f i - T)) <= sq (pos (C * p - T)) + k%:Z * sq (pos (C * v - T)).
Proof.
move=> C0; case: (lerP T (C * v)) => Tv.
  have Tp : T <= C * p by nia.
  rewrite !pos_nonneg; [|lia|lia].
  apply: (@le_trans _ _ (\sum_i sq (C * f i - T))).
    by apply: ler_sum => i _; apply: sq_pos_le.
  rewrite sum_sq_affine sum_eq.
  have : C * C * (\sum_i sq (f i)) <= C * C * (sq p + k%:Z * sq v) by apply: ler_wpmul2l; [nia | exact: squares_le].
  have -> : k.+1%:Z = 1 + k%:Z by []. by rewrite /sq; move: (\sum_i sq (f i)) => S; clear; lia.
rewrite (@pos_nonpos (C * v - T)); last by lia.
case: (lerP (C * p) T) => Tp.
  rewrite big1 ?pos_nonpos; [by rewrite /sq; lia | by lia |].
  move=> i _; rewrite pos_nonpos //; have := entry_le i; nia.
rewrite (@pos_nonneg (C * p - T)); last by lia.
have vp' : v < p by nia.
have X2 : 0 < sq (p - v) by rewrite /sq; nia.
rewrite -(ler_pmul2l X2) mulr_sumr.
apply: (@le_trans _ _ (\sum_i sq (C * p - T) * sq (f i - v))).
  apply: ler_sum => i _; have fp := entry_le i.
  case: (lerP 0 (C * f i - T)) => c; last first.
    rewrite pos_nonpos; last by lia.
    have := sq_ge0 (C * p - T); have := sq_ge0 (f i - v); rewrite /sq; nia.
  rewrite pos_nonneg //.
  have le1 : (p - v) * (C * f i - T) <= (C * p - T) * (f i - v).
    have -> : (C * p - T) * (f i - v) = (p - v) * (C * f i - T) + (T - C * v) * (p - f i) by lia.
    by rewrite ler_addl; apply: mulr_ge0; lia.
  have ge0 : 0 <= (p - v) * (C * f i - T) by apply: mulr_ge0; lia.
  have -> : sq (p - v) * sq (C * f i - T) = sq ((p - v) * (C * f i - T)) by rewrite /sq; lia.
  have -> : sq (C * p - T) * sq (f i - v) = sq ((C * p - T) * (f i - v)) by rewrite /sq; lia.
  by rewrite /sq; apply: ler_pmul.
rewrite -mulr_sumr [X in _ <= X](_ : _ = sq (C * p - T) * sq (p - v)); last by rewrite /sq; lia.
by apply: ler_wpmul2l; [exact: sq_ge0 | exact: sum_from_v].
Qed.
End Truncated.

(* ------------------------------------------------------------------ *)
(** ** Tables *)

Section Table.
Variables (k l : nat) (x : 'I_k.+1 -> 'I_l.+1 -> int).
Hypothesis x0 : forall i j, 0 <= x i j.
Definition rows i := \sum_j x i j.
Definition cols j := \sum_i x i j.
Local Notation n := (\sum_i \sum_j x i j).
Definition row_squares := \sum_i sq (rows i).
Definition col_squares := \sum_j sq (cols j).
Definition entry_squares := \sum_i \sum_j sq (x i j).
Local Notation A := row_squares.
Local Notation B := col_squares.
Local Notation P := entry_squares.

Lemma sum_rows : \sum_i rows i = n. Proof. by []. Qed.
Lemma sum_cols : \sum_j cols j = n. Proof. by rewrite /cols exchange_big. Qed.

Lemma sum_x_potential (C D E : int) :
  \sum_i \sum_j x i j * (C * rows i + D * cols j - E) = C * A + D * B - E * n.
Proof.
transitivity (C * (\sum_i \sum_j x i j * rows i) + D * (\sum_i \sum_j x i j * cols j) + (- E) * n).
  move: rows cols => a b; rewrite !mulr_sumr -!big_split /=; apply: eq_bigr => i _.
  by rewrite !mulr_sumr -!big_split /=; apply: eq_bigr => j _; lia.
congr (_ + _ + _); last by lia.
  by congr (_ * _); apply: eq_bigr => i _; rewrite -mulr_suml.
by congr (_ * _); rewrite exchange_big /=; apply: eq_bigr => j _; rewrite -mulr_suml.
Qed.

Lemma dual (K C D E : int) : 0 <= K ->
  2%:Z * K * (C * A + D * B - E * n) <=
  K * K * P + \sum_i \sum_j sq (pos (C * rows i + D * cols j - E)).
Proof.
move=> K0; rewrite -sum_x_potential /entry_squares; move: rows cols => a b.
rewrite !mulr_sumr -big_split /=; apply: ler_sum => i _.
rewrite !mulr_sumr -big_split /=; apply: ler_sum => j _; move: (C * a i + D * b j - E) => z.
have h := pos_ge z; have xj := x0 i j.
have h1 : K * x i j * z <= K * x i j * pos z by apply: ler_wpmul2l => //; apply: mulr_ge0.
have h2 := sq_ge0 (K * x i j - pos z).
by move: h1 h2; rewrite /sq; lia.
Qed.

Lemma two_margins (C D E p v q u : int) : 0 <= C -> 0 <= D -> v <= p -> u <= q ->
  n = p + k%:Z * v -> n = q + l%:Z * u -> A <= sq p + k%:Z * sq v -> B <= sq q + l%:Z * sq u ->
  \sum_i \sum_j sq (pos (C * rows i + D * cols j - E)) <=
    sq (pos (C * p + D * q - E)) + l%:Z * sq (pos (C * p + D * u - E))
    + k%:Z * (sq (pos (C * v + D * q - E)) + l%:Z * sq (pos (C * v + D * u - E))).
Proof.
move=> C0 D0 vp uq np nq Ap Bq.
rewrite exchange_big /=.
apply: (@le_trans _ _ (\sum_j (sq (pos (D * cols j - (E - C * p))) + k%:Z * sq (pos (D * cols j - (E - C * v)))))).
  apply: ler_sum => j _.
  have h := @truncated k rows p v vp np Ap C (E - D * cols j) C0.
  have e : \sum_i sq (pos (C * rows i + D * cols j - E)) = \sum_i sq (pos (C * rows i - (E - D * cols j))).
    by apply: eq_bigr => i _; congr (sq (pos _)); lia.
  rewrite e; apply: le_trans h _.
  have -> : C * p - (E - D * cols j) = D * cols j - (E - C * p) by lia.
  by have -> : C * v - (E - D * cols j) = D * cols j - (E - C * v) by lia.
rewrite big_split /= -mulr_sumr.
have nq' : \sum_j cols j = q + l%:Z * u by rewrite sum_cols.
have h1 := @truncated l cols q u uq nq' Bq D (E - C * p) D0.
have h2 := @truncated l cols q u uq nq' Bq D (E - C * v) D0.
apply: ler_add.
  apply: le_trans h1 _.
  have -> : D * q - (E - C * p) = C * p + D * q - E by lia.
  by have -> : D * u - (E - C * p) = C * p + D * u - E by lia.
apply: ler_wpmul2l => //; apply: le_trans h2 _.
have -> : D * q - (E - C * v) = C * v + D * q - E by lia.
by have -> : D * u - (E - C * v) = C * v + D * u - E by lia.
Qed.

Theorem least_squares_hook (p v q u w : int) : 0 <= v -> 0 <= u -> v < p -> u < q ->
  n = p + k%:Z * v -> n = q + l%:Z * u -> n = w + l%:Z * u + k%:Z * v -> u + v <= w ->
  A <= sq p + k%:Z * sq v -> B <= sq q + l%:Z * sq u ->
  (p - v) * (q - u) * (sq w + l%:Z * sq u + k%:Z * sq v) <=
  (p - v) * (q - u) * P + 2%:Z * (q - u) * (w - v) * (sq p + k%:Z * sq v - A)
                        + 2%:Z * (p - v) * (w - u) * (sq q + l%:Z * sq u - B).
Proof.
move=> v0 u0 vp uq np nq nw uvw Ap Bq.
set X := p - v; set Y := q - u; set K := X * Y; set C := Y * (w - v); set D := X * (w - u).
set E := C * p + D * q - K * w.
have X0 : 0 < X by rewrite /X; lia.
have Y0 : 0 < Y by rewrite /Y; lia.
have K0 : 0 < K by apply: mulr_gt0.
have C0 : 0 <= C by apply: mulr_ge0; lia.
have D0 : 0 <= D by apply: mulr_ge0; lia.
have h := @dual K C D E (ltW K0).
have t := @two_margins C D E p v q u C0 D0 (ltW vp) (ltW uq) np nq Ap Bq.
have pE : p = w + l%:Z * u by lia.
have qE : q = w + k%:Z * v by lia.
have e11 : C * p + D * q - E = K * w by rewrite /E; lia.
have e12 : C * p + D * u - E = K * u by rewrite /E /D /K /C /Y; lia.
have e21 : C * v + D * q - E = K * v by rewrite /E /D /K /C /X; lia.
have e22 : C * v + D * u - E = K * (u + v - w) by rewrite /E /D /K /C; rewrite {1 3}/X {2}/Y; lia.
have K0' := ltW K0.
rewrite e11 e12 e21 e22 !(sq_pos_mul _ K0') in t.
have w0 : 0 <= w by lia.
have uvw' : u + v - w <= 0 by lia.
rewrite (pos_nonneg w0) (pos_nonneg u0) (pos_nonneg v0) (pos_nonpos uvw') in t.
set H := sq w + l%:Z * sq u + k%:Z * sq v.
have val : C * (sq p + k%:Z * sq v) + D * (sq q + l%:Z * sq u) - E * n = K * H.
  by rewrite nw /E /H /C /D /K /X /Y pE qE /sq; lia.
set dA := sq p + k%:Z * sq v - A; set dB := sq q + l%:Z * sq u - B.
have AE : A = sq p + k%:Z * sq v - dA by rewrite /dA; lia.
have BE : B = sq q + l%:Z * sq u - dB by rewrite /dB; lia.
rewrite -(ler_pmul2l K0).
have h3 : 2%:Z * K * (K * H - C * dA - D * dB) <= K * K * P + sq K * H.
  apply: le_trans (le_trans h _); last first.
    rewrite ler_add2l; apply: le_trans t _; rewrite /H (_ : sq 0 = 0) //.
    by move: (sq K) (sq w) (sq u) (sq v) => a b c d; clear; lia.
  by rewrite -val AE BE; lia.
have -> : 2%:Z * Y * (w - v) = 2%:Z * C by rewrite /C; clear; lia.
have -> : 2%:Z * X * (w - u) = 2%:Z * D by rewrite /D; clear; lia.
move: h3; rewrite /sq; clearbody K C D dA dB H; clear; lia.
Qed.

Corollary least_squares_hook_exact (p v q u w : int) : 0 <= v -> 0 <= u -> v < p -> u < q ->
  n = p + k%:Z * v -> n = q + l%:Z * u -> n = w + l%:Z * u + k%:Z * v -> u + v <= w ->
  A = sq p + k%:Z * sq v -> B = sq q + l%:Z * sq u -> sq w + l%:Z * sq u + k%:Z * sq v <= P.
Proof.
move=> v0 u0 vp uq np nq nw uvw Ap Bq.
have := @least_squares_hook p v q u w v0 u0 vp uq np nq nw uvw; rewrite Ap Bq !lexx !subrr !mulr0 !addr0.
move=> /(_ isT isT); rewrite ler_pmul2l //; apply: mulr_gt0; lia.
Qed.

(* no condition on w *)
Theorem least_squares_flat :
  k.+1%:Z * A + l.+1%:Z * B - n * n <= k.+1%:Z * l.+1%:Z * P.
Proof.
set R := k.+1%:Z; set S := l.+1%:Z.
have h := @dual (R * S) R S n (mulr_ge0 (ltW _) (ltW _)).
have t : \sum_i \sum_j sq (pos (R * rows i + S * cols j - n)) <= R * S * (R * A + S * B - n * n).
  apply: (@le_trans _ _ (\sum_i \sum_j sq (S * cols j - (n - R * rows i)))).
    apply: ler_sum => i _; apply: ler_sum => j _.
    have -> : S * cols j - (n - R * rows i) = R * rows i + S * cols j - n by lia.
    exact: sq_pos_le.
  rewrite (eq_bigr (fun i => S * (S * B) - 2%:Z * S * n * (n - R * rows i) + S * sq (R * rows i - n))); last first.
    by move=> i _; rewrite sum_sq_affine sum_cols -/B /sq; lia.
  rewrite big_split /= -mulr_sumr sum_sq_affine -/A sum_rows sumrB sum_const -mulr_sumr sumrB sum_const -mulr_sumr sum_rows.
  by rewrite -/R -/S; lia.
have R0 : 0 < R by []. have S0 : 0 < S by [].
have RS0 : 0 < R * S by apply: mulr_gt0.
rewrite -(ler_pmul2l RS0); move: (h R0 S0) t; move: (\sum_i \sum_j sq _) => Q; clear; lia.
Qed.
End Table.

(* ------------------------------------------------------------------ *)
(** ** Tables of the class *)

Section Class.
Variables (k l : nat).
Implicit Type x : table k.+1 l.+1.

(* the entries as integers *)
Definition entries x i j : int := (x i j)%:Z.

Lemma sum_Posz (m : nat) (f : 'I_m -> nat) : \sum_(i < m) (f i)%:Z = (\sum_(i < m) f i)%:Z.
Proof. by rewrite (big_morph Posz PoszD (erefl 0%:Z)). Qed.

Lemma sq_Posz (a : nat) : sq a%:Z = (a ^ 2)%:Z.
Proof. by rewrite /sq; lia. Qed.

Lemma rows_Posz x i : rows (entries x) i = (row_sum x i)%:Z.
Proof. by rewrite /rows /entries sum_Posz. Qed.

Lemma cols_Posz x j : cols (entries x) j = (col_sum x j)%:Z.
Proof. by rewrite /cols /entries sum_Posz. Qed.

Lemma total_Posz x : \sum_i \sum_j entries x i j = (total x)%:Z.
Proof. by rewrite /total -sum_Posz; apply: eq_bigr => i _; rewrite -sum_Posz. Qed.

Lemma row_squares_Posz x : row_squares (entries x) = (\sum_(i < k.+1) row_sum x i ^ 2)%:Z.
Proof. by rewrite /row_squares -sum_Posz; apply: eq_bigr => i _; rewrite rows_Posz sq_Posz. Qed.

Lemma col_squares_Posz x : col_squares (entries x) = (\sum_(j < l.+1) col_sum x j ^ 2)%:Z.
Proof. by rewrite /col_squares -sum_Posz; apply: eq_bigr => j _; rewrite cols_Posz sq_Posz. Qed.

Lemma entry_squares_Posz x : entry_squares (entries x) = (squares x)%:Z.
Proof.
rewrite /entry_squares /squares -sum_Posz; apply: eq_bigr => i _.
by rewrite -sum_Posz; apply: eq_bigr => j _; rewrite sq_Posz.
Qed.

(* no table with the A and B of a hook with equal arm and equal leg entries has a smaller sum of squares *)
Corollary hook_has_least_squares (u v w : nat) x :
  (u + v <= w -> v < w + l * u -> u < w + k * v -> total x = w + l * u + k * v ->
   \sum_(i < k.+1) row_sum x i ^ 2 = (w + l * u) ^ 2 + k * v ^ 2 ->
   \sum_(j < l.+1) col_sum x j ^ 2 = (w + k * v) ^ 2 + l * u ^ 2 ->
   w ^ 2 + l * u ^ 2 + k * v ^ 2 <= squares x)%N.
Proof.
move=> uvw vp uq t A B.
have x0 i j : 0 <= entries x i j by [].
have := @least_squares_hook_exact k l (entries x) x0 (w + l * u)%N v%:Z (w + k * v)%N u%:Z w%:Z.
rewrite total_Posz row_squares_Posz col_squares_Posz entry_squares_Posz t A B /sq => h.
have {}h : (w * w)%N%:Z + l%:Z * (u * u)%N%:Z + k%:Z * (v * v)%N%:Z <= (squares x)%:Z by apply: h; lia.
by move: h; rewrite -!mulnn; lia.
Qed.

(* r sum a^2 + s sum b^2 - n^2 <= r s sum x^2 *)
Corollary squares_from_margins x :
  (k.+1 * (\sum_(i < k.+1) row_sum x i ^ 2) + l.+1 * (\sum_(j < l.+1) col_sum x j ^ 2)
     <= k.+1 * l.+1 * squares x + total x ^ 2)%N.
Proof.
have x0 i j : 0 <= entries x i j by [].
have := @least_squares_flat k l (entries x) x0.
by rewrite total_Posz row_squares_Posz col_squares_Posz entry_squares_Posz -mulnn; lia.
Qed.
End Class.
