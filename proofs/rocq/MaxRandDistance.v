(** * The largest Rand distance

    F2(x) is the number of ordered pairs of objects separated by exactly one of the two clusterings;
    n(n-1) RD = F2.  For 1 <= r <= s <= n the largest F2 over the tables with total n and no empty row or
    column is [largest_F n r s]:
      n <= r+s-2             (n-r)(n-r+1) + (n-s)(n-s+1)                                    ("sparse")
      r+s-2 <= n <= s+2(r-1) (r-1)(r-2) + (s-1)(s-2) + 2(n-(r+s-2))(r+s-2)                  ("middle")
      n >= s+2(r-1)          (n-r+1)^2 + (r-1)(2r-3) - (s q^2 + k(2q+1)),                   ("dense")
                             where n-2(r-1) = q s + k, 0 <= k < s.
    For r >= 2 and n >= r+s-2 a hook attains it: a first row, ones below its corner, zeros elsewhere.

    The upper bound is proved by induction on n, as Turan's theorem: remove one object from a cell of
    least degree.  F2 is the quadratic form of the rook's graph, and removing an object from a cell with
    row sum R, column sum C and entry e lowers F2 by exactly twice the degree d = R + C - 2 e. *)

From mathcomp Require Import all_ssreflect zify.
From Confmat Require Import Arithmetic Tables.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

(* ------------------------------------------------------------------ *)
(** ** The value *)

Definition largest_F (n r s : nat) : nat :=
  if n <= r + s - 2 then (n - r) * (n - r + 1) + (n - s) * (n - s + 1)
  else if n <= s + 2 * (r - 1) then
    (r - 1) * (r - 2) + (s - 1) * (s - 2) + 2 * (n - (r + s - 2)) * (r + s - 2)
  else let q := (n - 2 * (r - 1)) %/ s in let k := (n - 2 * (r - 1)) %% s in
    (n - r + 1) ^ 2 + (r - 1) * (2 * r - 3) - (s * q ^ 2 + k * (2 * q + 1)).

(* ------------------------------------------------------------------ *)
(** ** A bound for every n, sharp when n <= r+s-2

    An entry is at most its square, so the sum of the squares of the entries is at least n and
    F2 <= sum R(R-1) + sum C(C-1); now [positive_sum_squares_le]. *)

Lemma F_le_sparse n r s (x : table r s) : in_class n x ->
  F2 x <= (n - r) * (n - r + 1) + (n - s) * (n - s + 1).
Proof.
case=> t R C; have := positive_sum_squares_le R; have := positive_sum_squares_le C.
rewrite -!(total_rows x) -!(total_cols x) !t; have := total_le_squares x; have := F_exact x; rewrite t.
by move: (F2 x) (squares x) (\sum_(i < r) _) (\sum_(i < s) _) => f q R2 C2; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** Removable cells

    A cell is removable if taking one object out of it leaves a table of the class. *)

Definition removable r s (x : table r s) i j := [&& 0 < x i j, 1 < row_sum x i & 1 < col_sum x j].

Lemma removable_transpose r s (x : table r s) i j : removable (transpose x) j i = removable x i j.
Proof. by rewrite /removable row_sum_transpose col_sum_transpose /transpose [(1 < _) && (1 < _)]andbC. Qed.

Definition remove r s (x : table r s) (i0 : 'I_r) (j0 : 'I_s) : table r s :=
  fun i j => x i j - ((i == i0) && (j == j0)).

Section Remove.
Variables (r s : nat) (x : table r s) (i0 : 'I_r) (j0 : 'I_s).
Hypothesis xp : 0 < x i0 j0.

Lemma remove_entry i j : x i j = remove x i0 j0 i j + ((i == i0) && (j == j0)).
Proof. by rewrite /remove; case: eqP => [->|] /=; [case: eqP => [->|]|] => /=; lia. Qed.

Lemma remove_row i : row_sum x i = row_sum (remove x i0 j0) i + (i == i0).
Proof.
rewrite /row_sum; under eq_bigr do rewrite remove_entry.
rewrite big_split /=; congr (_ + _).
by case: (i == i0) => /=; [rewrite sum_indicator_eq | rewrite big1].
Qed.

Lemma remove_col j : col_sum x j = col_sum (remove x i0 j0) j + (j == j0).
Proof.
rewrite /col_sum; under eq_bigr do rewrite remove_entry.
rewrite big_split /=; congr (_ + _).
case: (j == j0) => /=; last by rewrite big1 // => i _; rewrite andbF.
by under eq_bigr do rewrite andbT; rewrite sum_indicator_eq.
Qed.

Lemma remove_total : total x = total (remove x i0 j0) + 1.
Proof.
rewrite !total_rows; under eq_bigr do rewrite remove_row.
by rewrite big_split /= sum_indicator_eq.
Qed.

(* a square grows by 2 f k - 1 *)
Lemma squares_one_more m (f g : 'I_m -> nat) k :
  (forall i, f i = g i + (i == k)) -> \sum_i f i ^ 2 + 1 = \sum_i g i ^ 2 + 2 * f k.
Proof.
move=> fg; rewrite (bigD1 k) //= [in RHS](bigD1 k) //=.
have -> : \sum_(i < m | i != k) f i ^ 2 = \sum_(i < m | i != k) g i ^ 2.
  by apply: eq_bigr => i /negbTE ik; rewrite fg ik addn0.
by rewrite fg eqxx [g k + _]addn1 square_succ; move: (g k) (\sum_(_ | _) _) => a b; lia.
Qed.

Lemma remove_squares : squares x + 1 = squares (remove x i0 j0) + 2 * x i0 j0.
Proof.
rewrite /squares (bigD1 i0) //= [in RHS](bigD1 i0) //=.
have -> : \sum_(i < r | i != i0) \sum_(j < s) x i j ^ 2 =
          \sum_(i < r | i != i0) \sum_(j < s) remove x i0 j0 i j ^ 2.
  by apply: eq_bigr => i /negbTE ik; apply: eq_bigr => j _; rewrite remove_entry ik addn0.
have /squares_one_more : forall j, x i0 j = remove x i0 j0 i0 j + (j == j0) by move=> j; rewrite remove_entry eqxx.
by move: (\sum_(j < s) x i0 j ^ 2) (\sum_(j < s) remove x i0 j0 i0 j ^ 2) (\sum_(i < r | _) _) => a b c; lia.
Qed.

Lemma remove_F : F2 x + 4 * x i0 j0 = F2 (remove x i0 j0) + 2 * (row_sum x i0 + col_sum x j0).
Proof.
have := F_exact x; have := F_exact (remove x i0 j0).
have := squares_one_more remove_row; have := squares_one_more remove_col; have := remove_squares.
move: (F2 x) (F2 (remove x i0 j0)) (squares x) (squares (remove x i0 j0)) => a b c d.
move: (\sum_i row_sum x i ^ 2) (\sum_j col_sum x j ^ 2).
move: (\sum_i row_sum _ i ^ 2) (\sum_j col_sum _ j ^ 2).
by move=> e f g h; lia.
Qed.
End Remove.

Lemma remove_in_class n r s (x : table r s) i0 j0 :
  in_class n.+1 x -> removable x i0 j0 -> in_class n (remove x i0 j0).
Proof.
case=> t R C /and3P [xp Ri Cj]; split.
- by have := remove_total xp; lia.
- by move=> i; have := remove_row xp i; have := R i; case: eqP => [->|] /=; lia.
- by move=> j; have := remove_col xp j; have := C j; case: eqP => [->|] /=; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The average degree over the removable cells of a row

    Let row i, with sum R, have t removable cells, all of degree > D.  Summing over them,
      t (D+1) <= sum (R + C - 2 e) <= t R + (n - (s-t)) - 2 (R - (s-t)),
    because a column outside T holds at least one object (so the columns in T hold at most n - (s-t)),
    and an entry of the row outside T is at most one (else the cell would be removable). *)

(* t >= 2, so the right side less the left side increases with the row sum R *)
Lemma weaken_row_sum (t D R N z w : nat) : 1 < t -> R <= w ->
  t * (D + 1) + 2 * R <= t * R + N + z -> t * (D + 1) + 2 * w <= t * w + N + z.
Proof.
by move=> t2 /subnK <-; move: (w - R) => c; case: t t2 => // -[//|t'] _; nia.
Qed.

Section RowAverage.
Variables (n r s : nat) (x : table r s) (i : 'I_r).
Hypothesis xM : in_class n x.
Let T := [pred j : 'I_s | removable x i j].
Let t := #|T|.

Lemma removable_count_le : t <= s.
Proof. by have := max_card T; rewrite card_ord. Qed.

Lemma other_count : \sum_(j < s | ~~ T j) 1 = s - t.
Proof.
rewrite sum1_card; have := cardC T; rewrite card_ord -/t => e.
by apply/eqP; rewrite -(eqn_add2l t) subnKC ?removable_count_le // e.
Qed.

Lemma removable_cols_total : \sum_(j < s | T j) col_sum x j + (s - t) <= n.
Proof.
case: xM => tn R C; rewrite -tn (total_cols x) [X in _ <= X](bigID T) /= leq_add2l -other_count.
by apply: leq_sum => j _; apply: C.
Qed.

Lemma row_le_removable : 1 < row_sum x i -> row_sum x i <= \sum_(j < s | T j) x i j + (s - t).
Proof.
case: xM => tn R C Ri; rewrite {1}/row_sum [X in X <= _](bigID T) /= leq_add2l -other_count.
apply: leq_sum => j; rewrite /removable Ri /= negb_and => /orP [|]; first by lia.
by have := entry_le_col x i j; lia.
Qed.

Lemma row_average D : 1 < row_sum x i ->
  (forall j, removable x i j -> D + 2 * x i j < row_sum x i + col_sum x j) ->
  t * (D + 1) + 2 * row_sum x i <= t * row_sum x i + n + (s - t).
Proof.
move=> Ri H.
have : \sum_(j < s | T j) (D.+1 + (x i j + x i j)) <= \sum_(j < s | T j) (row_sum x i + col_sum x j).
  by apply: leq_sum => j Tj; have := H j Tj; lia.
have sT c : \sum_(j < s | T j) c = t * c by exact: (sum_nat_const T c).
rewrite 3!big_split !sT.
have := removable_cols_total; have := row_le_removable Ri; have := removable_count_le.
move: (\sum_(j < s | T j) col_sum x j) (\sum_(j < s | T j) x i j) => a b.
by move: (t) => t' ? ? ?; rewrite /= addn1; lia.
Qed.

Lemma row_single j : removable x i j -> t <= 1 -> row_sum x i <= x i j + (s - 1).
Proof.
move=> rj; have/and3P[_ Ri _] := rj; have := row_le_removable Ri.
have T1 : 0 < t by apply/card_gt0P; exists j.
move=> h t1; have te : t = 1 by lia.
move: h; rewrite te; suff -> : \sum_(k < s | T k) x i k = x i j by [].
rewrite (bigD1 j) //= big1 ?addn0 // => k /andP [Tk kj].
have /card_le1_eqP /(_ k j Tk rj) e : t <= 1 by [].
by rewrite e eqxx in kj.
Qed.

Lemma row_sum_le : row_sum x i + (r - 1) <= n.
Proof. by case: xM => <- R _; apply: positive_term_le. Qed.

(* the worst row sum is n - (r-1) *)
Lemma row_average_max D : 1 < t ->
  (forall j, removable x i j -> D + 2 * x i j < row_sum x i + col_sum x j) ->
  t * (D + 1) + 2 * (n - (r - 1)) <= t * (n - (r - 1)) + n + (s - t).
Proof.
move=> t2 H; have [j Tj] : exists j, T j.
  by apply/existsP; rewrite -[[exists j, T j]]/(~~ pred0b T) -lt0n -/t; lia.
have /and3P [_ Ri _] : removable x i j := Tj.
by apply: weaken_row_sum t2 _ (row_average Ri H); have := row_sum_le; lia.
Qed.

End RowAverage.

(* ------------------------------------------------------------------ *)
(** ** A removable cell of small degree

    If some cell is removable, one has degree <= D, as soon as D >= (r-1)+(s-1) and D is too large for
    the averages of [row_average_max] over the t >= 2 removable cells of a row or column.  For a
    removable cell alone in its row and column has degree <= (r-1)+(s-1). *)

Lemma small_degree_cell n r s (x : table r s) D i0 j0 :
  in_class n x -> removable x i0 j0 -> r - 1 + (s - 1) <= D ->
  (forall t, 1 < t <= s -> t * (n - (r - 1)) + n + (s - t) < t * (D + 1) + 2 * (n - (r - 1))) ->
  (forall t, 1 < t <= r -> t * (n - (s - 1)) + n + (r - t) < t * (D + 1) + 2 * (n - (s - 1))) ->
  exists i j, removable x i j /\ row_sum x i + col_sum x j <= D + 2 * x i j.
Proof.
move=> xM R0 D0 HR HC.
pose small := [exists i, exists j, removable x i j && (row_sum x i + col_sum x j <= D + 2 * x i j)].
have [/existsP[i /existsP[j /andP[h1 h2]]]|/existsPn noS] := boolP small.
  by exists i, j.
have big i j : removable x i j -> D + 2 * x i j < row_sum x i + col_sum x j.
  move=> rij; have /existsPn /(_ j) := noS i; rewrite rij /=; lia.
exfalso.
have xM' := in_class_transpose xM.
case: (ltnP 1 #|[pred j | removable x i0 j]|) => tr1.
  have := row_average_max xM tr1 (big i0); have := removable_count_le x i0.
  move: (#|_|) tr1 => t t1 ts h; have := HR t; rewrite t1 ts => /(_ isT); lia.
case: (ltnP 1 #|[pred i | removable (transpose x) j0 i]|) => tc1.
  have H i : removable (transpose x) j0 i ->
      D + 2 * transpose x j0 i < row_sum (transpose x) j0 + col_sum (transpose x) i.
    by rewrite removable_transpose => /big; rewrite row_sum_transpose col_sum_transpose /transpose; lia.
  have := row_average_max xM' tc1 H; have := removable_count_le (transpose x) j0.
  move: (#|_|) tc1 => t t1 ts h; have := HC t; rewrite t1 ts => /(_ isT); lia.
have h1 := row_single xM R0 tr1.
have R0' : removable (transpose x) j0 i0 by rewrite removable_transpose.
have := row_single xM' R0' tc1; rewrite row_sum_transpose /transpose => h2.
by have := big _ _ R0; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** Removable cells exist when n >= r+s-1

    Otherwise each object is alone in its row or in its column, so n is at most the number of rows of
    sum one plus the number of columns of sum one.  If neither of these is full, n <= r+s-2; if all
    rows have sum one then n = r, and likewise for columns. *)

Lemma removable_exists n r s (x : table r s) :
  0 < r -> 0 < s -> in_class n x -> r + s - 1 <= n -> (1 < r) && (1 < s) || (r + s <= n) ->
  exists i j, removable x i j.
Proof.
move=> r0 s0 [tn R C] nb rs2.
have [/existsP[i /existsP[j h]]|/existsPn no] := boolP [exists i, exists j, removable x i j].
  by exists i, j.
exfalso.
have cell i j : x i j <= (row_sum x i == 1) * x i j + (col_sum x j == 1) * x i j.
  have /existsPn /(_ j) := no i; rewrite /removable !negb_and.
  have := R i; have := C j; case: (posnP (x i j)) => [->|] //=.
  by case: (row_sum x i =P 1) => h1; case: (col_sum x j =P 1) => h2 /=; lia.
have n_le : n <= \sum_(i < r) (row_sum x i == 1) + \sum_(j < s) (col_sum x j == 1).
  have e1 : \sum_(i < r) \sum_(j < s) (row_sum x i == 1) * x i j = \sum_(i < r) (row_sum x i == 1).
    apply: eq_bigr => i _; rewrite -big_distrr /= -/(row_sum x i).
    by case: (row_sum x i =P 1) => [->|].
  have e2 : \sum_(i < r) \sum_(j < s) (col_sum x j == 1) * x i j = \sum_(j < s) (col_sum x j == 1).
    rewrite exchange_big; apply: eq_bigr => j _; rewrite -big_distrr /= -/(col_sum x j).
    by case: (col_sum x j =P 1) => [->|].
  rewrite -tn -e1 -e2 -big_split; apply: leq_sum => i _.
  by rewrite -big_split; apply: leq_sum => j _; apply: cell.
have cnt (m : nat) (f : 'I_m -> nat) :
    \sum_k (f k == 1) = m /\ \sum_k f k = m \/ \sum_k (f k == 1) + 1 <= m.
  have [/forallP a1|/forallPn [k fk]] := boolP [forall k, f k == 1].
    left; split; rewrite -[RHS]card_ord -sum1_card; apply: eq_bigr => k _.
      by rewrite a1.
    exact/eqP.
  right; rewrite -[X in _ <= X]card_ord -sum1_card (bigD1 k) //= [X in _ <= X](bigD1 k) //=.
  rewrite (negbTE fk) add0n addnC leq_add2l; apply: leq_sum => l _; exact: leq_b1.
have := cnt _ (row_sum x); have := cnt _ (col_sum x).
rewrite -!(total_rows x) -!(total_cols x) !tn.
move: (\sum_(i < r) (row_sum x i == 1)) (\sum_(j < s) (col_sum x j == 1)) n_le => a b *; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The two formulas for n >= r+s-2, with a = r-1 and b = s-1 *)

Lemma largest_F_sparse n r s : n <= r + s - 2 ->
  largest_F n r s = (n - r) * (n - r + 1) + (n - s) * (n - s + 1).
Proof. by rewrite /largest_F => ->. Qed.

Lemma largest_F_middle n a b : a + b <= n <= b.+1 + 2 * a ->
  largest_F n a.+1 b.+1 = a * (a - 1) + b * (b - 1) + 2 * (n - (a + b)) * (a + b).
Proof.
have e1 : a.+1 + b.+1 - 2 = a + b by lia.
have e2 : a.+1 - 1 = a by lia.
have e3 : b.+1 - 1 = b by lia.
have e4 : a.+1 - 2 = a - 1 by lia.
have e5 : b.+1 - 2 = b - 1 by lia.
rewrite /largest_F e1 e2 e3 e4 e5 => /andP[h1 h2]; rewrite h2.
case: (leqP n (a + b)) => // h3; have {h1 h2 h3} -> : n = a + b by lia.
rewrite subnn muln0 mul0n addn0.
have -> : a + b - a.+1 = b - 1 by lia.
have -> : a + b - b.+1 = a - 1 by lia.
by case: a {e1 e2 e3 e4 e5} => [|a]; case: b => [|b]; rewrite ?subn1 ?addn1 /=; lia.
Qed.

Lemma largest_F_dense n a b q k : k < b.+1 -> 0 < q -> n = 2 * a + q * b.+1 + k ->
  largest_F n a.+1 b.+1 + (b.+1 * (q * q) + k * (2 * q + 1)) + a = (n - a) * (n - a) + 2 * (a * a).
Proof.
move=> kb q0 ->.
have na : 2 * a + q * b.+1 + k - a = a + q * b.+1 + k by lia.
case: (leqP (2 * a + q * b.+1 + k) (b.+1 + 2 * a)) => h.
  have [k0 q1] : k = 0 /\ q = 1 by nia.
  rewrite na largest_F_middle k0 q1; last by lia.
  have -> : 2 * a + 1 * b.+1 + 0 - (a + b) = a.+1 by lia.
  by case: a {na h} => [|a]; case: b {kb} => [|b] //=; nia.
have nf : (2 * a + q * b.+1 + k <= a.+1 + b.+1 - 2) = false by apply/negbTE; lia.
have e2 : a.+1 - 1 = a by lia.
rewrite /largest_F nf e2 leqNgt h.
have -> : 2 * a + q * b.+1 + k - 2 * a = q * b.+1 + k by lia.
rewrite modnMDl divnMDl // (divn_small kb) (modn_small kb) addn0.
have -> : 2 * a + q * b.+1 + k - a.+1 + 1 = a + q * b.+1 + k by lia.
rewrite na -!mulnn.
have -> : a * (2 * a.+1 - 3) = 2 * (a * a) - a by case: (a) => //= c; nia.
have e1 : a <= 2 * (a * a) by nia.
have e3 : b.+1 * (q * q) + k * (2 * q + 1) <= (a + q * b.+1 + k) * (a + q * b.+1 + k) by nia.
rewrite [~~ true]/=.
move: e1 e3; move: (b.+1 * (q * q) + k * (2 * q + 1)) (2 * (a * a)).
by move: ((a + q * b.+1 + k) * (a + q * b.+1 + k)) => W B A e1 e3; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The upper bound

    The average inequalities needed for D = a+b (middle) and for D = n-1-a-q (dense), with a = r-1 and
    b = s-1; then the steps largest_F(n+1) = largest_F(n) + 2 D; then the induction. *)

Lemma middle_row n a b t : a + b < n <= b.+1 + 2 * a -> 1 < t <= b.+1 ->
  t * (n - a) + n + (b.+1 - t) < t * (a + b + 1) + 2 * (n - a).
Proof.
move=> /andP[h1 h2] /andP[h3 h4].
have [w [nE wE]] : exists w, n = w + a /\ w <= a + b + 1 by exists (n - a); lia.
have [c cE] : exists c, a + b + 1 = w + c by exists (a + b + 1 - w); lia.
rewrite cE nE addnK mulnDr.
have : c <= t * c by nia.
move: (t * w) (t * c) => *; lia.
Qed.

Lemma middle_col n a b t : a <= b -> a + b < n <= b.+1 + 2 * a -> 1 < t <= a.+1 ->
  t * (n - b) + n + (a.+1 - t) < t * (a + b + 1) + 2 * (n - b).
Proof.
move=> ab /andP[h1 h2] /andP[h3 h4].
have [w [nE wE]] : exists w, n = w + b /\ w <= a + b + 1 by exists (n - b); lia.
have [c cE] : exists c, a + b + 1 = w + c by exists (a + b + 1 - w); lia.
rewrite cE nE addnK mulnDr.
have : c <= t * c by nia.
move: (t * w) (t * c) => *; lia.
Qed.

Lemma dense_row n a b q k t D : 0 < q -> n = 2 * a + q * b.+1 + k + 1 -> D + 1 + q + a = n ->
  1 < t <= b.+1 -> t * (n - a) + n + (b.+1 - t) < t * (D + 1) + 2 * (n - a).
Proof.
move=> q0 nE DE /andP[h1 h2].
have -> : n - a = (D + 1) + q by lia.
have [p pE] : exists p, q = p.+1 by exists q.-1; lia.
have [c cE] : exists c, b.+1 = t + c by exists (b.+1 - t); lia.
by rewrite cE in nE *; rewrite pE in nE DE *; nia.
Qed.

Lemma dense_col n a b q k t D : a <= b -> 0 < q -> n = 2 * a + q * b.+1 + k + 1 ->
  D + 1 + q + a = n ->
  1 < t <= a.+1 -> t * (n - b) + n + (a.+1 - t) < t * (D + 1) + 2 * (n - b).
Proof.
move=> ab q0 nE DE /andP[h1 h2].
have [d dE] : exists d, b = a + d by exists (b - a); lia.
have [c cE] : exists c, a.+1 = t + c by exists (a.+1 - t); lia.
have [p pE] : exists p, q = p.+1 by exists q.-1; lia.
have [u uE] : exists u, t = u.+2 by exists (t - 2); lia.
have nb : n - b + d = (D + 1) + q by nia.
have nb' : n = n - b + b by nia.
move: (n - b) nb nb' => w nb nb'.
by nia.
Qed.

Lemma largest_F_step_middle n a b : a + b <= n -> n.+1 <= b.+1 + 2 * a ->
  largest_F n.+1 a.+1 b.+1 = largest_F n a.+1 b.+1 + 2 * (a + b).
Proof.
move=> h1 h2; rewrite !largest_F_middle; try lia.
have [c ->] : exists c, n = a + b + c by exists (n - (a + b)); lia.
have -> : (a + b + c).+1 - (a + b) = c.+1 by lia.
have -> : a + b + c - (a + b) = c by lia.
lia.
Qed.

Lemma largest_F_step_dense n a b q k : k < b.+1 -> 0 < q -> n = 2 * a + q * b.+1 + k ->
  largest_F n.+1 a.+1 b.+1 = largest_F n a.+1 b.+1 + 2 * (n - a - q).
Proof.
move=> kb q0 nE; have h := largest_F_dense kb q0 nE.
have [w wE] : exists w, n = w + a by exists (n - a); lia.
have qw : q <= w by have := leq_pmulr q (ltn0Sn b); lia.
case: (leqP k.+1 b) => kb'.
  have nE' : n.+1 = 2 * a + q * b.+1 + k.+1 by lia.
  have kb1 : k.+1 < b.+1 by lia.
  have h' := largest_F_dense kb1 q0 nE'.
  have e1 : n - a = w by lia.
  have e2 : n.+1 - a = w.+1 by lia.
  rewrite e1 in h *; rewrite e2 in h'.
  have BE : b.+1 * (q * q) + k.+1 * (2 * q + 1) = b.+1 * (q * q) + k * (2 * q + 1) + 2 * q + 1 by lia.
  rewrite BE in h'.
  have wwE : w.+1 * w.+1 = w * w + 2 * w + 1 by lia.
  by move: (largest_F _ _ _) (largest_F _ _ _) (w * w) (w.+1 * w.+1) (b.+1 * (q * q) + k * (2 * q + 1)) (a * a) h h' wwE
    => m1 m2 ww ww' B aa h h' wwE; lia.
have kE : k = b by lia.
have nE' : n.+1 = 2 * a + q.+1 * b.+1 + 0 by nia.
have h' := largest_F_dense (ltn0Sn b) (ltn0Sn q) nE'.
have e1 : n - a = w by lia.
have e2 : n.+1 - a = w.+1 by lia.
rewrite e1 in h *; rewrite e2 in h'.
have BE : b.+1 * (q.+1 * q.+1) + 0 * (2 * q.+1 + 1) = b.+1 * (q * q) + b * (2 * q + 1) + 2 * q + 1 by lia.
rewrite BE -kE in h'; rewrite -kE in h *.
have wwE : w.+1 * w.+1 = w * w + 2 * w + 1 by lia.
by move: (largest_F _ _ _) (largest_F _ _ _) (w * w) (w.+1 * w.+1) (k.+1 * (q * q) + k * (2 * q + 1)) (a * a) h h' wwE
    => m1 m2 ww ww' B aa h h' wwE; lia.
Qed.

(* One step of the induction: with a removable cell of degree <= D the value grows by exactly 2 D. *)
Lemma largest_F_step n a b : a <= b -> a + b <= n -> 0 < a \/ b < n ->
  exists D, [/\ a + b <= D, largest_F n.+1 a.+1 b.+1 = largest_F n a.+1 b.+1 + 2 * D &
   forall x : table a.+1 b.+1, in_class n.+1 x ->
     exists i j, removable x i j /\ row_sum x i + col_sum x j <= D + 2 * x i j].
Proof.
move=> ab nb ab0.
have small D : a + b <= D ->
    (forall t, 1 < t <= b.+1 -> t * (n.+1 - a) + n.+1 + (b.+1 - t) < t * (D + 1) + 2 * (n.+1 - a)) ->
    (forall t, 1 < t <= a.+1 -> t * (n.+1 - b) + n.+1 + (a.+1 - t) < t * (D + 1) + 2 * (n.+1 - b)) ->
    forall x : table a.+1 b.+1, in_class n.+1 x ->
      exists i j, removable x i j /\ row_sum x i + col_sum x j <= D + 2 * x i j.
  move=> abD rows cols x xM.
  have [i [j R]] : exists i j, removable x i j by apply: (removable_exists _ _ xM); lia.
  by apply: small_degree_cell xM R _ _ _; rewrite !subn1.
case: (leqP n.+1 (b.+1 + 2 * a)) => range.
  exists (a + b); split=> //; first exact: largest_F_step_middle.
  by apply: small => // t ht; [apply: middle_row | apply: middle_col] => //; lia.
pose q := (n - 2 * a) %/ b.+1; pose k := (n - 2 * a) %% b.+1.
have kb : k < b.+1 by rewrite ltn_mod.
have q0 : 0 < q by rewrite divn_gt0 //; lia.
have nE : n = 2 * a + q * b.+1 + k by rewrite -addnA -divn_eq; lia.
have nE1 : n.+1 = 2 * a + q * b.+1 + k + 1 by lia.
have DE : n - a - q + 1 + q + a = n.+1 by nia.
exists (n - a - q); split; [by nia | exact: largest_F_step_dense kb q0 nE |].
by apply: small => [|t ht|t ht]; [nia | exact: (dense_row q0 nE1 DE) | exact: (dense_col ab q0 nE1 DE)].
Qed.

Theorem F_le_largest n r s (x : table r s) :
  0 < r <= s -> r + s - 2 <= n -> in_class n x -> F2 x <= largest_F n r s.
Proof.
case: r s x => [|a] [|b] x //= ab; rewrite ltnS in ab.
have -> : a.+1 + b.+1 - 2 = a + b by lia.
elim: n x => [|n IH] x nb xM.
  by rewrite largest_F_sparse; [exact: F_le_sparse | lia].
case: (leqP n.+1 (a + b)) => nb'.
  by rewrite largest_F_sparse; [exact: F_le_sparse | lia].
have {nb'} nb' : a + b <= n by lia.
case: (boolP ((0 < a) || (b < n))) => [/orP enough | few]; last first.
  (* one row, as many objects as columns: there is no removable cell *)
  have [a0 nE] : a = 0 /\ n = b by lia.
  subst a n; have := F_le_sparse xM; rewrite largest_F_middle; last by lia.
  by move: (F2 x) => f; case: (b) => [|c]; rewrite ?subn1 /=; nia.
have [D [_ -> small]] := largest_F_step ab nb' enough.
have [i [j [R dij]]] := small x xM; have /and3P [xp _ _] := R.
have := remove_F xp; have := IH _ nb' (remove_in_class xM R).
by move: (F2 x) (F2 _) (largest_F _ _ _) => f g m; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** Hooks

    First row (y_0, 1 + y_1, ..., 1 + y_{s-1}), ones below the corner, zeros elsewhere. *)

Definition hook (r s : nat) (y : nat -> nat) (i : 'I_r) (j : 'I_s) : nat :=
  if i == 0 :> nat then (if j == 0 :> nat then y 0 else (y j).+1)
  else (if j == 0 :> nat then 1 else 0).

Section Hook.
Variables (a b : nat) (y : nat -> nat).
Let x := @hook a.+1 b.+1 y.
Let Y1 := \sum_(j < b) y j.+1.
Let Y2 := \sum_(j < b) y j.+1 ^ 2.

Lemma hook_row i : row_sum x i = if i == 0 :> nat then y 0 + Y1 + b else 1.
Proof.
rewrite /row_sum /x /hook; case: (i == 0 :> nat).
  rewrite big_ord_recl /= -addnA; congr (_ + _).
  rewrite -[X in _ = _ + X]card_ord -sum1_card -big_split; apply: eq_bigr => j _.
  by rewrite /= addn1.
by rewrite big_ord_recl /= big1.
Qed.

Lemma hook_col j : col_sum x j = if j == 0 :> nat then y 0 + a else (y j).+1.
Proof.
rewrite /col_sum /x /hook big_ord_recl /=; case: (j == 0 :> nat).
  by rewrite sum_nat_const card_ord muln1.
by rewrite big1 ?addn0.
Qed.

Lemma hook_total : total x = y 0 + Y1 + (a + b).
Proof.
rewrite total_rows big_ord_recl hook_row /=.
under eq_bigr do rewrite hook_row /=.
by rewrite sum_nat_const card_ord muln1; lia.
Qed.

Lemma hook_squares : squares x = y 0 ^ 2 + (Y2 + 2 * Y1 + b) + a.
Proof.
rewrite /squares big_ord_recl; congr (_ + _); last first.
  rewrite -[RHS]card_ord -sum1_card; apply: eq_bigr => i _.
  by rewrite big_ord_recl /x /hook /= big1.
rewrite big_ord_recl; congr (_ + _).
rewrite -[X in _ = _ + X]card_ord -sum1_card /Y1 /Y2 big_distrr /= -!big_split /=.
by apply: eq_bigr => j _; exact: square_succ.
Qed.

Lemma hook_row_squares : \sum_i row_sum x i ^ 2 = (y 0 + Y1 + b) ^ 2 + a.
Proof.
rewrite big_ord_recl hook_row /=; congr (_ + _).
under eq_bigr do rewrite hook_row /=.
by rewrite sum_nat_const card_ord muln1.
Qed.

Lemma hook_col_squares : \sum_j col_sum x j ^ 2 = (y 0 + a) ^ 2 + (Y2 + 2 * Y1 + b).
Proof.
rewrite big_ord_recl hook_col /=; congr (_ + _).
rewrite -[X in _ = _ + X]card_ord -sum1_card /Y1 /Y2 big_distrr /= -!big_split /=.
by apply: eq_bigr => j _; rewrite hook_col; exact: square_succ.
Qed.

(* F2 of a hook, with e = y0 + Y1 the free objects *)
Lemma hook_F : F2 x + (y 0 ^ 2 + Y2) + 2 * (y 0 + Y1) =
  a * (a - 1) + b * (b - 1) + (y 0 + Y1) ^ 2 + 2 * (y 0 + Y1) * b + 2 * a.+1 * y 0.
Proof.
have := F_exact x; rewrite hook_row_squares hook_col_squares hook_squares -!mulnn.
move: (F2 x) (Y1) (Y2) (y 0) => f y1 y2 y0 h.
by case: (a) (b) h => [|a'] [|b']; rewrite ?subn1 /=; lia.
Qed.

Lemma hook_in_class : (0 < a) || (0 < y 0) -> (0 < b) || (0 < y 0) ->
  in_class (y 0 + Y1 + (a + b)) x.
Proof.
move=> ha hb; split; first exact: hook_total.
  by move=> i; rewrite hook_row; case: ifP => // _; lia.
by move=> j; rewrite hook_col; case: ifP => // _; lia.
Qed.
End Hook.

(* the arm of a best hook: all free objects in the corner, or spread over the first row *)
Definition best_arm (n r s : nat) : nat -> nat :=
  if n <= s + 2 * (r - 1) then fun j => if j == 0 then n - (r + s - 2) else 0
  else let q := (n - 2 * (r - 1)) %/ s in let k := (n - 2 * (r - 1)) %% s in
    fun j => if j == 0 then q + r - 1 else if j <= k then q else q - 1.

Theorem best_hook_attains n r s : 0 < r <= s -> s <= n -> r + s - 2 <= n ->
  let x := @hook r s (best_arm n r s) in
  [/\ in_class n x, \sum_(j < s) best_arm n r s j = n - (r - 1) - (s - 1) & F2 x = largest_F n r s].
Proof.
case: r s => [|a] [|b] // ab bn abn /=.
have e1 : a.+1 - 1 = a by lia.
have e2 : a.+1 + b.+1 - 2 = a + b by lia.
have e3 : b.+1 - 1 = b by lia.
have hF := hook_F a b (best_arm n a.+1 b.+1).
have hM := @hook_in_class a b (best_arm n a.+1 b.+1).
move: hF hM; rewrite /= [\sum_(j < b.+1) _]big_ord_recl /bump /=.

rewrite /best_arm e1 e2 e3.
case: (leqP n (b.+1 + 2 * a)) => hn.
  rewrite /= !big1 // !addn0 => hF hM.
  have nE : n - (a + b) + (a + b) = n by lia.
  rewrite nE in hM; split; [apply: hM; lia | lia |].
  rewrite largest_F_middle; last by lia.
  have [c cE] : exists c, n - (a + b) = c by exists (n - (a + b)).
  move: hF; rewrite cE; move: (F2 _) => f; rewrite -!mulnn.
  by case: (a) (b) => [|a'] [|b']; rewrite ?subn1 /=; lia.
pose q := (n - 2 * a) %/ b.+1; pose k := (n - 2 * a) %% b.+1.
rewrite -/q -/k.
have kb : k < b.+1 by rewrite ltn_mod.
have q0 : 0 < q by rewrite divn_gt0 //; lia.
have nE : n = 2 * a + q * b.+1 + k by rewrite -addnA -divn_eq; lia.
have hm := largest_F_dense kb q0 nE.
clearbody q k.
have [p pE] : exists p, q = p.+1 by exists q.-1; lia.
have e4 : q + a.+1 - 1 = q + a by lia.
have S1 : \sum_(j < b) (if j.+1 <= k then q else q - 1) = b * p + k.
  have -> : \sum_(j < b) (if j.+1 <= k then q else q - 1) = \sum_(j < b) (p + (j < k)).
    by apply: eq_bigr => j _; rewrite pE; case: (j < k); lia.
  by rewrite big_split /= sum_nat_const card_ord sum_indicator_lt; lia.
have S2 : \sum_(j < b) (if j.+1 <= k then q else q - 1) ^ 2 = b * (p * p) + k * (2 * p + 1).
  have -> : \sum_(j < b) (if j.+1 <= k then q else q - 1) ^ 2 =
            \sum_(j < b) (p * p + (j < k) * (2 * p + 1)).
    by apply: eq_bigr => j _; rewrite pE -!mulnn; case: (j < k) => /=; rewrite ?subn1 /=; lia.
  rewrite big_split /= sum_nat_const card_ord -big_distrl /= sum_indicator_lt.
  by have -> : minn k b = k by lia.
have e5 : q + a + (b * p + k) + (a + b) = n by rewrite nE pE; clear; lia.
have e6 : q + a + (b * p + k) = n - a - b by rewrite -subnDA -[in RHS]e5 addnK.
have e7 : n - a = a + p * b.+1 + b.+1 + k by rewrite nE pE; clear; lia.
rewrite /= e4 S1 S2 => hF hM.
rewrite e5 in hM; split; [by apply: hM; rewrite pE; case: (a) (b) => [|?] [|?] | exact: e6 |].
move: hF hm; rewrite -!mulnn pE.
rewrite e7.
have aa : a * (a - 1) + a = a * a by case: (a) => [|a'] //; rewrite subn1 /=; lia.
have bb : b * (b - 1) + b = b * b by case: (b) => [|b'] //; rewrite subn1 /=; lia.
move: aa bb; move: (a * (a - 1)) (b * (b - 1)) (F2 _) (largest_F _ _ _) => A B f m aa bb.
clear -aa bb; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The tables that attain the bound when n <= r+s-2

    Ones only: a star of n-r+1 cells in the first row, a star of n-s+1 cells in a column, and isolated
    ones; as a graph, a forest with r+s-n components. *)

Definition two_stars (n r s : nat) (i : 'I_r) (j : 'I_s) : nat :=
  if i == 0 :> nat then (j < n - r + 1)
  else if i <= n - s + 1 then (j == n - r + 1 :> nat)
  else (j + (n - s + 1) == i + (n - r + 1)).

Theorem two_stars_attain n r s : 0 < r <= n -> 0 < s <= n -> n <= r + s - 2 ->
  let x := @two_stars n r s in in_class n x /\ F2 x = largest_F n r s.
Proof.
case: r s => [|a] [|b] // ra sa abn /=.
have [al alE] : exists al, n - a.+1 + 1 = al by exists (n - a.+1 + 1).
have [be beE] : exists be, n - b.+1 + 1 = be by exists (n - b.+1 + 1).
have hs : al + a = n /\ be + b = n /\ al <= b /\ be <= a by lia.
pose x := @two_stars n a.+1 b.+1; rewrite -/x.
have xE (i : 'I_a.+1) (j : 'I_b.+1) : x i j = if i == 0 :> nat then (j < al)
   else if i <= be then (j == al :> nat) else (j + be == i + al).
  by rewrite /x /two_stars alE beE.
have R (i : 'I_a.+1) : row_sum x i = if i == 0 :> nat then al else 1.
  rewrite /row_sum; under eq_bigr do rewrite xE.
  have := ltn_ord i; case: eqP => _ hi; first by rewrite sum_indicator_lt; lia.
  by case: (leqP i be) => hib; rewrite ?sum_indicator_shift ?sum_indicator_eqn; lia.
have C (j : 'I_b.+1) : col_sum x j = if j == al :> nat then be else 1.
  rewrite /col_sum big_ord_recl xE /=.
  have -> : \sum_(i < a) x (lift ord0 i) j = if j == al :> nat then be else if j < al then 0 else 1.
    have -> : \sum_(i < a) x (lift ord0 i) j =
       \sum_(i < a) (if j == al :> nat then nat_of_bool (i < be)
                     else if j < al then 0 else nat_of_bool (i + al.+1 == j + be)).
      apply: eq_bigr => i _; rewrite xE lift0 [_.+1 == 0]/=.
      by case: (j =P al :> nat) => h1; case: (ltnP i be) => h2; case: (ltnP j al) => h3 //=; lia.
    case: (j == al :> nat) => /=; first by rewrite sum_indicator_lt; lia.
    case: (ltnP j al) => h; first by rewrite big1.
    by rewrite sum_indicator_shift; have := ltn_ord j; lia.
  by case: eqP; case: ltnP; lia.
have tn : total x = n.
  rewrite total_rows big_ord_recl R /=; under eq_bigr do rewrite R /=.
  by rewrite sum_nat_const card_ord; lia.
have xM : in_class n x by split => // [i|j]; rewrite ?R ?C; case: ifP => _; lia.
split=> //.
have QE : squares x = n.
  rewrite -tn; apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite xE.
  by case: (_ == 0 :> nat); [case: (_ < _) | case: (_ <= be); case: (_ == _)].
have R2 : \sum_i row_sum x i ^ 2 = al ^ 2 + a.
  rewrite big_ord_recl R /=; under eq_bigr do rewrite R /=.
  by rewrite sum_nat_const card_ord muln1.
have alb : al < b.+1 by lia.
have C2 : \sum_j col_sum x j ^ 2 = be ^ 2 + b.
  rewrite (bigD1 (Ordinal alb)) //= C /= eqxx; congr (_ + _).
  rewrite (eq_bigr (fun=> 1)); first by rewrite sum1_card cardC1 card_ord.
  by move=> j hj; rewrite C ifF //; apply: contraNF hj => /eqP h; apply/eqP/val_inj.
rewrite largest_F_sparse //; have := F_exact x; rewrite R2 C2 QE alE beE -!mulnn.
have -> : n - a.+1 = al.-1 by lia.
have -> : n - b.+1 = be.-1 by lia.
have [nE1 nE2] : n = al + a /\ n = be + b by lia.
have [al0 be0] : 0 < al /\ 0 < be by lia.
clear -nE1 nE2 al0 be0.
case: al be al0 be0 nE1 nE2 => [|al] [|be] //= _ _ nE1 nE2; move: (F2 _) => f.
lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** Main theorems *)

Theorem largest_F_is_max n r s : 0 < r <= s -> s <= n ->
  (forall x : table r s, in_class n x -> F2 x <= largest_F n r s) /\
  (exists2 x : table r s, in_class n x & F2 x = largest_F n r s).
Proof.
move=> rs sn; case: (leqP n (r + s - 2)) => h.
  split; first by move=> x xM; rewrite largest_F_sparse //; apply: F_le_sparse.
  have [] := @two_stars_attain n r s; try lia.
  by move=> h1 h2; exists (@two_stars n r s).
split; first by move=> x xM; apply: F_le_largest => //; lia.
have [] := @best_hook_attains n r s rs sn; first lia.
by move=> h1 _ h2; exists (@hook r s (best_arm n r s)).
Qed.

(* the maximum is attained at a hook; y_0 + ... + y_{s-1} are the objects beyond one per line *)
Theorem largest_F_at_hook n r s : 1 < r <= s -> r + s - 2 <= n ->
  exists y : nat -> nat,
  [/\ \sum_(j < s) y j = n - (r - 1) - (s - 1),
      in_class n (@hook r s y) &
      forall x : table r s, in_class n x -> F2 x <= F2 (@hook r s y)].
Proof.
move=> rs2 nb; exists (best_arm n r s).
have [| | |h1 h2 h3] := @best_hook_attains n r s; try lia.
by split=> // x xM; rewrite h3; apply: F_le_largest => //; lia.
Qed.

(* F2 of any hook, with e free objects: C + e^2 + 2 e (s-2) + 2 r y_0 - sum of y_j^2 *)
Theorem hook_value r s (y : nat -> nat) : 0 < r -> 0 < s ->
  let e := \sum_(j < s) y j in
  F2 (@hook r s y) + \sum_(j < s) y j ^ 2 + 4 * e =
  (r - 1) * (r - 2) + (s - 1) * (s - 2) + e ^ 2 + 2 * e * s + 2 * r * y 0.
Proof.
case: r s => [|a] [|b] // _ _.
have -> : a.+1 - 1 = a by lia.
have -> : b.+1 - 1 = b by lia.
have -> : a.+1 - 2 = a - 1 by lia.
have -> : b.+1 - 2 = b - 1 by lia.
rewrite /= !big_ord_recl /=; have := hook_F a b y; rewrite /bump /=.
move: (F2 _) (\sum_(i < b) y _) (\sum_(i < b) _ ^ 2) => f y1 y2; rewrite -!mulnn.
by move: (a * (a - 1)) (b * (b - 1)) (y 0) => A B y0; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** For labelings *)

Theorem largest_separated n r s : 0 < r <= s -> s <= n ->
  (forall (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_s), onto f -> onto g -> separated f g <= largest_F n r s) /\
  (exists (f : 'I_n -> 'I_r) (g : 'I_n -> 'I_s), [/\ onto f, onto g & separated f g = largest_F n r s]).
Proof.
move=> rs0 sn; have [U [x xM xF]] := largest_F_is_max rs0 sn; split.
  by move=> f g sf sg; rewrite separated_F; apply/U/contingency_in_class.
have [f [g [sf sg cx]]] := table_from_labelings xM; exists f, g; split=> //.
by rewrite separated_F -xF; apply: eq_F.
Qed.

(* as a rational number *)
From mathcomp Require Import all_algebra.

Theorem largest_RD n r s : 0 < r <= s -> s <= n ->
  (forall x : table r s, in_class n x -> RD x <= (largest_F n r s)%:R / (2 * 'C(n, 2))%N%:R)%R /\
  (exists2 x : table r s, in_class n x & RD x = (largest_F n r s)%:R / (2 * 'C(n, 2))%N%:R)%R.
Proof.
move=> rs sn; have [U [x xM xF]] := largest_F_is_max rs sn; split.
  move=> y yM; have [ty _ _] := yM; rewrite RD_F /all_pairs ty.
  by apply: Num.Theory.ler_wpmul2r; rewrite ?Num.Theory.invr_ge0 ?Num.Theory.ler0n ?Num.Theory.ler_nat ?U.
by exists x => //; have [tx _ _] := xM; rewrite RD_F /all_pairs tx xF.
Qed.

(* values found by exhaustive enumeration *)
Goal [&& largest_F 12 3 4 == 90, largest_F 11 3 4 == 74, largest_F 11 4 4 == 72, largest_F 10 3 3 == 58,
         largest_F 4 3 4 == 2, largest_F 6 4 5 == 8, largest_F 7 5 5 == 12, largest_F 10 4 6 == 58,
         largest_F 12 2 5 == 102, largest_F 14 2 2 == 98 & largest_F 11 3 6 == 78].
Proof. by vm_compute. Qed.
